import type { CodeLanguage } from '../../../components/codeLanguages.ts'
import { FileFailure, isEmptyFile } from '../transfer/fileFailure.ts'
import type { FileSession } from '../transfer/fileSession.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { readText, replacingText, type TextFile } from './textFile.ts'

/** The largest text that is opened here, in bytes; a size is known only once a download has begun. */
const textLimit = 1024 * 1024
const imageLimit = 32 * 1024 * 1024
/** A PDF of this size is held twice: here, and in the worker that reads it. */
const pdfLimit = imageLimit

/** What a file turned out to be. */
export type Viewed =
  | { kind: 'image'; blob: Blob }
  | { kind: 'pdf'; bytes: Uint8Array }
  | { kind: 'text'; file: TextFile; bytes: Uint8Array<ArrayBuffer> }
  /** No text that could be written back as it was: to be looked at only. */
  | { kind: 'other'; text: string; bytes: Uint8Array }
  /** What the kernel shows as a file. */
  | { kind: 'kernel'; text: string }
  /** Links to folders look like files in a list. */
  | { kind: 'folder' }

/** Reads a file to be looked at. @throws FileFailure `too_large` above the limit; the session is given up then */
export async function readForView(session: FileSession, path: RawPath, name: string): Promise<Viewed> {
  const type = imageTypeOf(name)
  const isPdf = isPdfName(name)
  try {
    const blob = await readWhole(session, path, type ? imageLimit : isPdf ? pdfLimit : textLimit)
    // There is nothing to see in an empty picture; as a text it can be filled.
    if (type && blob.size > 0) return { kind: 'image', blob: new Blob([blob], { type }) }
    const bytes = new Uint8Array(await blob.arrayBuffer())
    if (isPdf && bytes.length > 0) return { kind: 'pdf', bytes }
    if (kernelFolders.test(path)) return { kind: 'kernel', text: replacingText(bytes) }
    const file = readText(bytes)
    return file ? { kind: 'text', file, bytes } : { kind: 'other', text: replacingText(bytes), bytes }
  } catch (error) {
    const { code, message } = error instanceof FileFailure ? error.failure : {}
    if (code === 'refused' && message?.endsWith(': is a directory')) return { kind: 'folder' }
    throw error
  }
}

/** What the file holds now, to compare; `undefined` when it is no longer there to be read or has grown too large. */
export async function readBytes(
  session: FileSession,
  path: RawPath,
): Promise<Uint8Array<ArrayBuffer> | { message: string | undefined }> {
  try {
    return new Uint8Array(await (await readWhole(session, path, textLimit)).arrayBuffer())
  } catch (error) {
    const { code, message } = error instanceof FileFailure ? error.failure : {}
    if (code === 'refused' || code === 'too_large') return { message }
    throw error
  }
}

async function readWhole(session: FileSession, path: RawPath, limit: number): Promise<Blob> {
  try {
    const saved = await session.download(path, { kind: 'memory', limit, otherwise: 'too_large' })
    if (saved.kind !== 'memory') throw new FileFailure({ code: 'unknown' })
    return saved.blob
  } catch (error) {
    if (isEmptyFile(error, path)) return new Blob()
    throw error
  }
}

/** What the kernel shows as files: each reading is new, and nothing is stored there. */
const kernelFolders = /^\/(proc|sys)\//

const byEnding: Record<string, CodeLanguage> = {
  json: 'json',
  jsonc: 'json',
  html: 'html',
  htm: 'html',
  css: 'css',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  profile: 'shell',
  bashrc: 'shell',
  zshrc: 'shell',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  py: 'python',
  xml: 'xml',
  svg: 'xml',
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  properties: 'properties',
  ini: 'properties',
  conf: 'properties',
  cfg: 'properties',
  env: 'properties',
  service: 'properties',
  timer: 'properties',
  socket: 'properties',
  desktop: 'properties',
}

const images: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
}

/** What follows the last dot, or the whole name where there is none. */
const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** The language of a file by its path, for reading; `undefined` for plain text. */
export function languageOf(path: string): CodeLanguage | undefined {
  if (/\/nginx\/.*|nginx[^/]*\.conf$/.test(path)) return 'nginx'
  return byEnding[endingOf(path.slice(path.lastIndexOf('/') + 1))]
}

/** The type of a picture by its name; `undefined` when it is none. */
export const imageTypeOf = (name: string): string | undefined =>
  name.includes('.') ? images[endingOf(name)] : undefined

/** Whether a file is a PDF by its name. */
const isPdfName = (name: string): boolean => endingOf(name) === 'pdf' && name.includes('.')
