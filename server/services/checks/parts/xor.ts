/** @param mask is repeated as far as it is needed */
export const xor = (bytes: Buffer, mask: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (mask[index % Math.max(1, mask.length)] ?? 0)))
