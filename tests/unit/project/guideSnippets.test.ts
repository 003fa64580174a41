import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startUsage } from '../../../scripts/bootstrap/usage.mjs'
import { readSettings } from '../../../server/settings.ts'
import { root } from '../../support/root.ts'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const guides = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((file) => `docs/guides/${file}`)].filter(
  (path) => path.endsWith('.md'),
)

interface Snippet {
  /** The file, and the number of the block in it. */
  place: string
  language: string
  code: string
}

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

const snippets: Snippet[] = guides.flatMap((path) =>
  [...textOf(path).matchAll(/^( *)```([a-z]+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, , language = '', code = ''], at): Snippet => ({ place: `${path} (${at + 1})`, language, code }),
  ),
)

/** Each setting that a guide sets in its text, as `HOST=0.0.0.0`. */
const settingsInText = guides.flatMap((path) =>
  [...textOf(path).matchAll(/`([A-Za-z_]+=[^`\s]+)[^`]*`/g)].map(([, line = '']) => [path, line] as const),
)

const of = (...languages: string[]) =>
  snippets.filter(({ language }) => languages.includes(language)).map(({ place, code }) => [place, code] as const)

/** What a program says against this text on its input; '' for nothing. */
function complaint(program: string, args: readonly string[], input?: string): string {
  const { status, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' })
  if (error) throw error
  return status === 0 ? '' : stderr
}

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

/** A whole configuration of nginx around the lines of a guide, with files that are there. */
function nginxConfiguration(code: string): string {
  const { cert, key } = certificateFiles()
  const lines = code
    .replace(/(ssl_certificate +)\S+;/, `$1${cert};`)
    .replace(/(ssl_certificate_key +)\S+;/, `$1${key};`)
    .replace('listen 443', 'listen 127.0.0.1:8443')
  const folder = temporaryFolder()
  const server = /^\s*server \{/m.test(lines) ? lines : `server {\n${lines}\n}`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${folder}/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n${server}\n}\n`)
  return file
}

const unknownSettings = (text: string) =>
  Object.keys(parseEnv(text)).filter((name) => !new RegExp(`\\b${name}\\b`).test(startUsage))

describe('A snippet of a guide', () => {
  it.each(of('json'))('of JSON can be read: %s', (_, code) => {
    // Some show one document on each line.
    const documents = code.trim().split(/\n(?=\{)/)
    for (const document of documents) expect(() => JSON.parse(document)).not.toThrow()
  })

  it.each(of('yaml'))('of YAML can be read: %s', (_, code) => {
    expect(() => parse(code)).not.toThrow()
  })

  it.each(of('sh'))('of a shell can be read by it: %s', (_, code) => {
    expect(complaint('bash', ['-n'], code)).toBe('')
  })

  it.each(of('js'))('of JavaScript can be read by Node: %s', (_, code) => {
    const file = join(temporaryFolder(), 'snippet.mjs')
    writeFileSync(file, code)
    expect(complaint(process.execPath, ['--check', file])).toBe('')
  })

  it.each(of('ini'))('of settings is taken by the server: %s', (_, code) => {
    expect(unknownSettings(code)).toEqual([])
    expect(() => readSettings(parseEnv(code))).not.toThrow()
  })

  it.each(settingsInText)('of a setting within the text has one that there is: %s %s', (_, line) => {
    expect(unknownSettings(line)).toEqual([])
  })

  it.runIf(has('nginx', '-v')).each(of('nginx'))('of nginx is taken by it: %s', (_, code) => {
    expect(complaint('nginx', ['-t', '-q', '-c', nginxConfiguration(code)])).toBe('')
  })

  it.runIf(has('caddy', 'version')).each(of('caddy'))('of Caddy is taken by it: %s', (_, code) => {
    expect(complaint('caddy', ['adapt', '--adapter', 'caddyfile', '--config', '-'], code)).toBe('')
  })

  it.runIf(has('python3', '--version')).each(of('python'))('of Python can be read by it: %s', (_, code) => {
    expect(complaint('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], code)).toBe('')
  })
})
