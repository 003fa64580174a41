import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpOf, parseArguments } from '../../../scripts/bootstrap/arguments.mjs'
import { root } from '../../support/root.ts'

const seed = {
  name: 'npm run seed --',
  description: 'Adds servers.',
  options: { servers: { help: 'how many', default: 100, min: 1, max: 1000 } },
}
const soak = {
  name: 'npm run soak --',
  description: 'Measures.',
  choices: { argument: 'KIND', values: ['alerts', 'terminal'] },
}
const build = { name: 'npm run build --', description: 'Builds.', flags: { report: 'prints more' } }

describe('the arguments of a script', () => {
  it('are numbers by name, with defaults, and words of a list', () => {
    expect(parseArguments(seed, [])).toEqual({ numbers: { servers: 100 }, names: [], flags: [] })
    expect(parseArguments(seed, ['--servers', '7'])).toEqual({ numbers: { servers: 7 }, names: [], flags: [] })
    expect(parseArguments(seed, ['--servers=8'])).toEqual({ numbers: { servers: 8 }, names: [], flags: [] })
    expect(parseArguments(soak, ['terminal', 'alerts'])?.names).toEqual(['terminal', 'alerts'])
  })

  it.each([
    [['--servers'], '--servers is "": give a whole number from 1 to 1000.'],
    [['--servers', '0'], '--servers is "0": give a whole number from 1 to 1000.'],
    [['--servers', '1.5'], '--servers is "1.5": give a whole number from 1 to 1000.'],
    [['--server', '1'], 'Unknown argument --server: npm run seed -- --help lists the arguments.'],
    [['100'], 'Unknown argument 100: npm run seed -- --help lists the arguments.'],
  ])('are refused in a sentence: %j', (args, sentence) => {
    expect(() => parseArguments(seed, args)).toThrow(sentence)
  })

  it('that are not in the list are refused with the list', () => {
    expect(() => parseArguments(soak, ['editor'])).toThrow('Unknown argument editor: there are: alerts, terminal')
  })

  it('are flags, which take no value', () => {
    expect(parseArguments(build, [])?.flags).toEqual([])
    expect(parseArguments(build, ['--report'])?.flags).toEqual(['report'])
    expect(() => parseArguments(build, ['--report=7'])).toThrow('Unknown argument --report: ')
    expect(helpOf(build)).toContain('npm run build -- [--report]\n')
    expect(helpOf(build)).toContain('  --report  prints more\n')
  })

  it('are explained by --help, whatever else is asked for', () => {
    expect(parseArguments(seed, ['--servers', '5', '--help'])).toBeUndefined()
    expect(helpOf(seed)).toBe(`Usage: npm run seed -- [--servers NUMBER]

Adds servers.

  --servers NUMBER  how many (100)
  --help            prints this
`)
    expect(helpOf(soak)).toContain('Usage: npm run soak -- [KIND ...]')
  })
})

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
/** The scripts of package.json that are ours: the others are Vite's, Vitest's and Biome's. */
const ours = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /^node (?:scripts\/run\.mjs )?(scripts\/\S+)$/.exec(command)?.[1]
  return file ? [{ name, file }] : []
})

describe('every script of package.json', () => {
  const run = (file: string, argument: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, argument], { cwd: root, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  it('is among those that are tried', () => {
    expect(ours.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'test', 'build', 'seed', 'soak']))
  })

  it.each(ours)('answers --help in words: $name', ({ file }) => {
    const { status, stdout, stderr } = run(file, '--help')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: npm [\s\S]+\n$/)
  })

  it.each(ours)('refuses what it does not know in a sentence: $name', ({ file }) => {
    const { status, stdout, stderr } = run(file, 'nonsense')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^[^\n]*nonsense[^\n]*\n$/)
  })
})
