import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/root.ts'

const example = 'tests/support/drill/'
const guide = readFileSync(join(root, 'docs/guides/add-an-entity.md'), 'utf8')

interface Block {
  /** The file that it is said to be, or to be part of. */
  path: string
  /** Whether it is the file as a whole. */
  isWhole: boolean
  code: string
}

/** A block begins with the name of its file; words behind the name mean that it is a part of it. JSON has no comments. */
const blocks: Block[] = [...guide.matchAll(/^```(?:tsx?\n\/\/|json) (\S+?)(,.*)?\n([\s\S]*?)^```$/gm)].map(
  ([, path, part, code]) => ({ path: path as string, isWhole: part === undefined, code: code as string }),
)

/** Code with its imports as sorted paths from the root, so that it reads the same wherever it stands. */
function rooted(code: string, path: string): string {
  const lines = code.replace(/( from ')(\.[^']+)(')/g, (_, before, specifier, after) => {
    const target = normalize(join(dirname(path), specifier)).replace(example, '')
    return `${before}${target}${after}`
  })
  return lines.replace(/^(import .*\n)+/, (imports) =>
    imports
      .split(/(?<=\n)/)
      .sort()
      .join(''),
  )
}

const written = ({ path }: Block) => rooted(readFileSync(join(root, example, path), 'utf8'), join(example, path))

describe('The guide to a new entity', () => {
  it('walks through contract, server, screen and texts', () => {
    const paths = new Set(blocks.map(({ path }) => path))
    expect([...paths]).toEqual([
      'src/schemas/drill.ts',
      'src/schemas/index.ts',
      'src/schemas/endpoints/index.ts',
      'server/drill/drillPlugin.ts',
      'src/resources/drill/index.ts',
      'src/resources/drill/Minutes.tsx',
      'src/resources/index.ts',
      'i18n/en-US/drill.json',
      'i18n/en-US/names.json',
    ])
  })

  it.each(blocks.map((block, index) => [`${index + 1}: ${block.path}`, block] as const))(
    'shows the example as it is tested, block %s',
    (_, block) => {
      const code = rooted(block.code, block.path)
      if (block.isWhole) expect(code).toBe(written(block))
      else expect(written(block)).toContain(code.trimEnd())
    },
  )

  it('names only files that exist', () => {
    const named = [...guide.matchAll(/`((?:src|server|tests|i18n|docs)\/[\w/.-]+)`/g)].map(([, path]) => path as string)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
