import { dirname, isAbsolute } from 'node:path'

/** Node's paths are text. As Latin-1 each byte is one letter, so a name that is no UTF-8 stays what it is. */
const textOf = (path: Uint8Array) => Buffer.from(path).toString('latin1')
const bytesOf = (path: string) => Buffer.from(path, 'latin1')

export function parentFolder(path: Uint8Array): Buffer {
  return bytesOf(dirname(textOf(path)))
}

/** An entry of a folder. `..` stays in the path: where it leads is decided by links, and so by the system. */
export function joinPath(folder: Uint8Array, entry: Uint8Array): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), entry])
}

/** @param folder what relative paths count from */
export function absolutePath(path: Uint8Array, folder: Uint8Array): Buffer {
  return isAbsolute(textOf(path)) ? Buffer.from(path) : joinPath(folder, path)
}
