import { dirname, isAbsolute } from 'node:path'

/** Node's path functions need text. As Latin-1 each byte is one character, so that no byte changes. */
const textOf = (path: Uint8Array) => Buffer.from(path).toString('latin1')
const bytesOf = (path: string) => Buffer.from(path, 'latin1')

export function parentFolder(path: Uint8Array): Buffer {
  return bytesOf(dirname(textOf(path)))
}

/** The path of a folder's entry. `..` is not resolved, because with links only the system knows where it leads. */
export function joinPath(folder: Uint8Array, entry: Uint8Array): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), entry])
}

/** @param folder the base of relative paths */
export function absolutePath(path: Uint8Array, folder: Uint8Array): Buffer {
  return isAbsolute(textOf(path)) ? Buffer.from(path) : joinPath(folder, path)
}
