import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/root.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface PromiseOfPage {
  promise: string
  tests: { file: string; title: string }[]
}

/** The sections of `docs/security.md`: each promise with the files and titles of its tests. */
function promisesIn(page: string): PromiseOfPage[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [promise = ''] = section.split('\n')
      const files = section.split(/^- \[/m).slice(1)
      const tests = files.flatMap((part) => {
        const file = /\]\(\.\.\/(tests\/[^)]+)\)/.exec(part)?.[1] ?? ''
        return [...part.matchAll(/^ {2}- “(.+)”$/gm)].map(([, title = '']) => ({ file, title }))
      })
      return { promise, tests }
    })
}

/** Whether a file runs a test of that title; a skipped one does not count. */
function hasTest(source: string, title: string): boolean {
  const quoted = ["'", '"', '`'].map((quote) => `${quote}${title}${quote}`)
  return source
    .replaceAll(/\(\s+/g, '(')
    .split('\n')
    .some((line) => quoted.some((text) => line.includes(`(${text}`)) && !/\b(skip|todo|fails)\b\s*[.(]/.test(line))
}

const promises = promisesIn(read('docs/security.md'))

describe('Each promise of docs/security.md', () => {
  it('is kept by a test', () => {
    expect(promises.length).toBeGreaterThan(10)
    expect(promises.filter(({ tests }) => tests.length === 0).map(({ promise }) => promise)).toEqual([])
  })

  it('names tests that exist, with the title that they have', () => {
    const missing = promises
      .flatMap(({ tests }) => tests)
      .filter(({ file, title }) => !existsSync(join(root, file)) || !hasTest(read(file), title))
    expect(missing).toEqual([])
  })

  it('is one of those in SECURITY.md, and none of those is left out', () => {
    const [, after = ''] = read('SECURITY.md').split('## What is promised')
    const [list = ''] = after.split('\n## ')
    const named = [...list.matchAll(/^- (.+)$/gm)].map(([, promise]) => promise)
    expect(named).toEqual(promises.map(({ promise }) => promise))
  })

  it('would be found without a test: by another title, a skipped one, or none', () => {
    const source = "it('stands', () => {})\nit.skip('is skipped', () => {})\n// mentions 'a title'"
    expect(['stands', 'is skipped', 'a title', 'stand'].map((title) => hasTest(source, title))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(promisesIn('# Page\n\n## Nothing gets in\n\nBy a wall.\n')).toEqual([
      { promise: 'Nothing gets in', tests: [] },
    ])
  })
})
