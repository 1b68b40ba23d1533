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

const BASIC_CONSTRAINTS = object('551d13');

interface Pem {
  readonly cert: string;
  readonly key: string;
}

interface Wanted {
  readonly name: string;
  readonly names?: readonly Buffer[];
  /** Milliseconds from now until it is not valid any more. */
  readonly lasts?: number;
  readonly isAuthority?: boolean;
}

const nameOf = (name: string) => der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name)))));
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
type Keys = ReturnType<typeof newKeys>;

/** A certificate (X.509, RFC 5280) with its key, both in PEM, signed with the key of who is called `issuer`. */
function certify({ name, names, lasts = HOUR, isAuthority }: Wanted, keys: Keys, issuer: string, by: Keys): Pem {
  const extensions = [
    ...(names ? [der(SEQUENCE, ALTERNATIVE_NAMES, der(0x04, der(SEQUENCE, ...names)))] : []),
    ...(isAuthority
      ? [
          der(
            SEQUENCE,
            BASIC_CONSTRAINTS,
            der(0x01, Buffer.of(0xff)),
            der(0x04, der(SEQUENCE, der(0x01, Buffer.of(0xff)))),
          ),
        ]
      : []),
  ];
  const signed = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1), randomBytes(8)),
    ECDSA,
    nameOf(issuer),
    der(SEQUENCE, time(Date.now() - 2 * HOUR), time(Date.now() + lasts)),
    nameOf(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const certificate = der(SEQUENCE, signed, ECDSA, bits(sign('sha256', signed, by.privateKey)));
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

const LOCAL = [der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1))];

/** A certificate of `localhost` and 127.0.0.1 that signs itself, for an hour. */
export function selfSigned(): Pem {
  const keys = newKeys();
  return certify({ name: 'localhost', names: LOCAL }, keys, 'localhost', keys);
}

/** A certificate authority of an organization, and what it signs. */
export function privateAuthority(name = 'Authority of the tests') {
  const keys = newKeys();
  const { cert } = certify({ name, isAuthority: true }, keys, name, keys);
  const signs = (wanted: Wanted) => certify(wanted, newKeysOnce(), name, keys);
  let own: Keys | undefined;
  const newKeysOnce = () => (own ??= newKeys());
  return {
    cert,
    /** Of `localhost` and 127.0.0.1. */
    local: () => signs({ name: 'localhost', names: LOCAL }),
    expired: () => signs({ name: 'localhost', names: LOCAL, lasts: -HOUR }),
    /** Of another host. */
    of: (host: string) => signs({ name: host, names: [der(0x82, Buffer.from(host))] }),
  };
}
