import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/root.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The anchors that a Markdown page has, as GitHub makes them from its headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text]) => (text as string).trim().toLowerCase())
  return new Set(headings.map((text) => text.replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')))
}

const sources = globSync('{src,server,i18n,tests,scripts,docs/decisions,docs/guides}/**/*.{ts,tsx,mjs,md}', {
  cwd: root,
}).map((file) => file.replaceAll('\\', '/'))

/** Every link to a page of the contract, such as `docs/contract/CONTRACT.md#54-servers`. */
const links = sources.flatMap((file) =>
  [...read(file).matchAll(/docs\/contract\/(\w+\.md)(?:#([\w-]+))?/g)].map(([link, page, anchor]) => ({
    file,
    link,
    page: `docs/contract/${page}`,
    anchor,
  })),
)

describe('Links to the contract', () => {
  it('lead to headings that exist', () => {
    expect(links.length).toBeGreaterThan(50)
    const anchors = new Map([...new Set(links.map(({ page }) => page))].map((page) => [page, anchorsOf(page)]))
    const broken = links.filter(({ page, anchor }) => anchor !== undefined && !anchors.get(page)?.has(anchor))
    expect(broken.map(({ file, link }) => `${file}: ${link}`)).toEqual([])
  })

  it('are the only way in which code names a section of it', () => {
    const bare = sources.filter(
      (file) => /CONTRACT(?!\.md)\b/.test(read(file)) && !file.endsWith('contractLinks.test.ts'),
    )
    expect(bare).toEqual([])
  })
})
