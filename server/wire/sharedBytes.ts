const shared = new WeakSet<Uint8Array>()

/** Marks bytes that many replies send, as what everybody may read: a reply of them costs no memory of its own. */
export function shareBytes(text: string | Uint8Array): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.length)
  shared.add(bytes)
  return bytes
}

export const areShared = (bytes: Uint8Array): boolean => shared.has(bytes)
