import { hexOf } from '../domain/hexOf.ts'

/** A new value for `WriteMeta.changeGroup`. Works on pages that are no secure context too, unlike `crypto.randomUUID`. */
export function newChangeGroup(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
