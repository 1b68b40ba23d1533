import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A length of DER: one octet up to 127, else how many octets follow and those. */
function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest >>= 8) octets.unshift(rest & 0xff);
  return [0x80 | octets.length, ...octets];
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

const SEQUENCE = 0x30;
const bits = (content: Uint8Array) => der(0x03, Buffer.of(0), content);
const time = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`, 'latin1'));
const object = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

/** ecdsa-with-SHA256 (RFC 5758), commonName and subjectAltName (RFC 5280), as DER writes their numbers. */
const ECDSA = der(SEQUENCE, object('2a8648ce3d040302'));
const COMMON_NAME = object('550403');
const ALTERNATIVE_NAMES = object('551d11');
const HOUR = 3_600_000;

/** A certificate of `localhost` and 127.0.0.1 that signs itself (X.509, RFC 5280), with its key; both in PEM, for an hour. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from('localhost')))));
  const names = der(SEQUENCE, der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1)));
  const extensions = der(SEQUENCE, der(SEQUENCE, ALTERNATIVE_NAMES, der(0x04, names)));
  const signed = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1), randomBytes(8)),
    ECDSA,
    name,
    der(SEQUENCE, time(Date.now() - HOUR), time(Date.now() + HOUR)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = der(SEQUENCE, signed, ECDSA, bits(sign('sha256', signed, privateKey)));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
