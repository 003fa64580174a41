import type { StreamParser } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

/** The languages that the editor can highlight. */
export type CodeLanguage =
  | 'json'
  | 'html'
  | 'css'
  | 'shell'
  | 'yaml'
  | 'nginx'
  | 'toml'
  | 'dockerfile'
  | 'properties'
  | 'python'
  | 'xml'

/** Each language is its own chunk, loaded with the first text in it. */
const loaders: Record<CodeLanguage, () => Promise<Extension>> = {
  json: async () => (await import('@codemirror/lang-json')).json(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  css: () => stream(async () => (await import('@codemirror/legacy-modes/mode/css')).css),
  shell: () => stream(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell),
  yaml: () => stream(async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml),
  nginx: () => stream(async () => (await import('@codemirror/legacy-modes/mode/nginx')).nginx),
  toml: () => stream(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
  dockerfile: () => stream(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
  properties: () => stream(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties),
  python: () => stream(async () => (await import('@codemirror/legacy-modes/mode/python')).python),
  xml: () => stream(async () => (await import('@codemirror/legacy-modes/mode/xml')).xml),
}

async function stream(load: () => Promise<StreamParser<unknown>>): Promise<Extension> {
  const [{ StreamLanguage }, parser] = await Promise.all([import('@codemirror/language'), load()])
  return StreamLanguage.define(parser)
}

/** Loads the extension that highlights and indents a language. */
export const loadLanguage = (language: CodeLanguage): Promise<Extension> => loaders[language]()
