import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockMatchesInstalled } from '../../../scripts/bootstrap/installedLock.mjs'
import { explainNpm } from '../../../scripts/bootstrap/npmFailure.mjs'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const fastify = { version: '5.0.0', integrity: 'sha512-a' }
const vite = { version: '8.0.0', integrity: 'sha512-b' }
const otherPlatform = { version: '1.0.0', integrity: 'sha512-c', optional: true }

function matches(installed: Record<string, unknown>): boolean {
  const folder = temporaryFolder()
  const packages = {
    '': {},
    'node_modules/fastify': fastify,
    'node_modules/vite': vite,
    'node_modules/x': otherPlatform,
  }
  writeFileSync(join(folder, 'wanted.json'), JSON.stringify({ packages }))
  writeFileSync(join(folder, 'installed.json'), JSON.stringify({ packages: installed }))
  return lockMatchesInstalled(join(folder, 'wanted.json'), join(folder, 'installed.json'))
}

describe('packages that were installed by hand', () => {
  it('are not installed again when they are those of the lockfile', () => {
    expect(matches({ 'node_modules/fastify': fastify, 'node_modules/vite': vite })).toBe(true)
  })

  it('are installed again when one is missing, as after npm install --omit=dev', () => {
    expect(matches({ 'node_modules/fastify': fastify })).toBe(false)
  })

  it('are installed again when one has another version or another content', () => {
    expect(matches({ 'node_modules/fastify': fastify, 'node_modules/vite': { ...vite, version: '7.0.0' } })).toBe(false)
    expect(matches({ 'node_modules/fastify': fastify, 'node_modules/vite': { ...vite, integrity: 'x' } })).toBe(false)
  })

  it('are installed when npm has never finished', () => {
    expect(lockMatchesInstalled('unread', join(temporaryFolder(), 'absent.json'))).toBe(false)
  })
})

describe('a failed installation', () => {
  it.each([
    ['npm error code ENOTFOUND\nnpm error network request failed', 'ENOTFOUND', 'registry cannot be reached'],
    ['npm error code ENOSPC', 'ENOSPC', 'disk is full'],
    ['npm error code EACCES', 'EACCES', 'cannot be written'],
    ['npm error code EUSAGE', 'EUSAGE', 'disagree'],
    ['npm error code EINTEGRITY', 'EINTEGRITY', 'npm cache clean'],
  ])('says in one sentence what to do about %j', (output, code, advice) => {
    const sentence = explainNpm(output)
    expect(sentence).toContain(`(${code})`)
    expect(sentence).toContain(advice)
    expect(sentence).not.toContain('\n')
  })

  it('says that npm did not finish when npm gave no reason', () => {
    expect(explainNpm('Killed')).toBe('Installing packages failed: npm did not finish.')
  })
})
