export { createHash, type Hash } from 'node:crypto';
