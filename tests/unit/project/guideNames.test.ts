import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { english, signInTextsOf } from '../../support/console/texts.ts'
import { root } from '../../support/root.ts'

const folder = join(root, 'docs/guides')
/** The guide for those who write code has its own test, and its asterisks are those of comments. */
const guides = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'add-an-entity.md')

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')

/** What a guide writes in italics is what the screen says; `*Settings → Security*` is a way through screens. */
const quotedNames = (guide: string): string[] =>
  [...withoutCode(guide).matchAll(/(?<![*\w])\*([^*\n]+)\*(?!\*)/g)].flatMap(([, names = '']) => names.split(' → '))

const words = new Set(
  [...english.values(), ...signInTextsOf('en-US').values()]
    .flatMap((text) => text.split(' |||| '))
    .map((text) => text.replace(/…$/, '')),
)

describe('A guide', () => {
  it.each(guides)('%s names screens, buttons and fields as the console does', (file) => {
    const unknown = quotedNames(readFileSync(join(folder, file), 'utf8')).filter((name) => !words.has(name))
    expect(unknown).toEqual([])
  })
})
