import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { locales } from '../../i18n/locales.ts'
import { createRefusalText } from '../../i18n/refusalText.ts'
import { filesIn } from '../support/console/texts.ts'
import { root } from '../support/root.ts'

const refusalsIn = (locale: string) => filesIn(`i18n/${locale}`)['refusals.json']?.refusals as Record<string, string>
const words = Object.keys(refusalsIn('en-US'))
const placeholders = (text: string) => [...text.matchAll(/%\{(\w+)\}/g)].map(([, name]) => name).sort()

/** What the servers say: the sources of this one, and what was measured of real ones. */
const said = [...pathsIn('server'), ...pathsIn('docs/contract'), join(root, 'src/schemas/define/wireNames.ts')]
  .map((path) => readFileSync(path, 'utf8').replaceAll("\\'", "'"))
  .join('\n')

function pathsIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('What servers answer when they refuse something', () => {
  it.each(words)('has words that a server says: %s', (refusal) => {
    const missing = refusal.split(/%\{\w+\}/).filter((part) => !said.includes(part))
    expect(missing).toEqual([])
  })

  it.each(words)('has its values in every language: %s', (refusal) => {
    for (const { locale } of locales) {
      expect(placeholders(refusalsIn(locale)[refusal] ?? '')).toEqual(placeholders(refusal))
    }
  })

  it('is translated with what the server has put into it, and shown as it came otherwise', () => {
    const german = createRefusalText({ refusals: refusalsIn('de-DE') } as never)
    expect(german('permission denied')).toBe('Keine Berechtigung')
    expect(german('the username needs 1 to 32 characters')).toBe('Der Benutzername braucht 1 bis 32 Zeichen')
    expect(german('server id 7 does not exist')).toBe('Einen Server mit der ID 7 gibt es nicht')
    for (const other of ['server id 7 does not exist any more', 'toString', 'x'.repeat(10_000)])
      expect(german(other)).toBeUndefined()
  })
})
