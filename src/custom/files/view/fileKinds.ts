import type { CodeLanguage } from '../../../components/codeLanguages.ts'

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
export const isPdfName = (name: string): boolean => endingOf(name) === 'pdf' && name.includes('.')
