import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/root.ts'

/** What tells which database it is: its package, its calls, its codes of errors, and statements in a text. */
const signs = {
  package: /'(node:sqlite|better-sqlite3|pg)'/,
  call: /\bDatabaseSync\b|\bStatementSync\b|\.prepare\(/,
  // Without the dot it is a word of messengers, too.
  code: /\.errcode\b|\bERR_SQLITE/,
  statement:
    /['"`]\s*(SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s|VACUUM\b|CREATE\s+(TABLE|INDEX)\s)/,
}

const signsIn = (file: string) => {
  const source = readFileSync(join(root, file), 'utf8')
  return Object.entries(signs).flatMap(([name, sign]) => (sign.test(source) ? [`${file}: ${name}`] : []))
}

const isDatabase = (file: string) => file.startsWith('server/db/')

it('no code outside server/db knows which database it is', () => {
  const files = globSync('server/**/*.ts', { cwd: root })
  expect(files.filter((file) => !isDatabase(file)).flatMap(signsIn)).toEqual([])
  const found = files.filter(isDatabase).flatMap(signsIn)
  for (const name of Object.keys(signs)) expect(found.some((one) => one.endsWith(`: ${name}`))).toBe(true)
})
