import { bytesOfPathText, pathTextOf } from '../../../src/domain/files/pathText.ts'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { ApiError } from '../../wire/apiCall.ts'

const slash = 0x2f
const decoder = new TextDecoder()

/** A path as a person reads it; what is not UTF-8 is replaced. */
export const shownPath = (text: string): string => decoder.decode(bytesOfPathText(text))

/** Characters that stand for themselves in an argument. */
const isPlain = (byte: number) => byte > 0x20 && byte < 0x7f && byte !== 0x5c

/**
 * The path of a file as an argument of a script that begins with `readPaths`: bytes that are not plain ASCII are octal
 * (`\0377`), because arguments travel as UTF-8 and paths need not be.
 * @param text as requests have it
 * @throws ApiError when it is no path from the root
 */
export function pathArgument(text: string): string {
  const bytes = bytesOfPathText(text)
  if (bytes[0] !== slash) throw new ApiError(`${shown(text)} is not a path from the root`)
  if (bytes.includes(0)) throw new ApiError('a path has no zero byte')
  if (bytes.length > fileLimits.path) throw new ApiError(`a path has at most ${fileLimits.path} bytes`)
  const argument = bytesArgument(bytes)
  if (/\/\.{1,2}(\/|$)/.test(argument)) throw new ApiError(`${shown(text)} has . or .. in it`)
  return argument
}

/** As `pathArgument`, for a path as bytes. @throws ApiError when it is no path from the root */
export const pathBytesArgument = (path: Uint8Array): string => pathArgument(pathTextOf(path))

/** Any bytes as an argument that `readPaths` reads. */
export function bytesArgument(bytes: Uint8Array): string {
  let argument = ''
  for (const byte of bytes)
    argument += isPlain(byte) ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`
  return argument
}

/** An argument beside a path that `readPaths` reads: a backslash stands for itself. */
export const textArgument = (text: string): string => text.replaceAll('\\', '\\0134')

/** The path of something that an order changes: with a name, and not the root. @throws ApiError */
export function changedPath(text: string): string {
  const argument = pathArgument(text)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  if (argument === '') throw new ApiError('the root cannot be changed')
  return argument
}

/** @throws ApiError when they are too long together */
export function changedPaths(texts: readonly string[]): string[] {
  const paths = texts.map(changedPath)
  if (paths.reduce((sum, { length }) => sum + length, 0) > fileLimits.allPaths) {
    throw new ApiError('these are too many paths for one order')
  }
  return paths
}

const shown = (text: string) => shownPath(text).slice(0, 128)

/** The beginning of a script: its arguments become paths as the file system has them, a line feed at the end included. */
export const readPaths = `
left=$#
while [ "$left" -gt 0 ]; do
  path=$(printf '%b.' "$1")
  shift
  set -- "$@" "\${path%.}"
  left=$((left - 1))
done
`
