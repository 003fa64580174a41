import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/root.ts'

const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md'))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/README.md',
  ...guides.map((name) => `docs/guides/${name}`),
]

/** Targets of the links in a page that lead into the repository. */
const linksOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))

/** The anchors of a page's headings, as the usual viewers make them. */
const anchorsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )

describe('the links of the documentation', () => {
  it.each(pages)('%s leads to files and headings that exist', (page) => {
    const broken = linksOf(page).filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? join(root, page) : join(root, dirname(page), path)
      if (!existsSync(file)) return true
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})
