import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProviders } from '../../../../server/auth/providers/providers.ts'
import { providersOf } from '../../../support/server/auth/providersFile.ts'
import { startServerProcess } from '../../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'

const github = {
  client_id: 'id',
  client_secret: 's3cret',
  endpoint: {
    auth_url: 'https://github.com/login/oauth/authorize',
    token_url: 'https://github.com/login/access_token',
  },
  scopes: ['read:user'],
  user_info_url: 'https://api.github.com/user',
  user_id_path: 'id',
}

function wordsAbout(text: string): string {
  const path = join(temporaryFolder(), 'oauth2.json')
  writeFileSync(path, text, { mode: 0o600 })
  try {
    readProviders(path)
    return 'fine'
  } catch (error) {
    const { message } = error as Error
    expect(message).toContain(`The sign-in providers in ${path} cannot be used (`)
    expect(message).toMatch(/\): correct the file as docs\/guides\/oauth2\.md shows, or move it away to start without/)
    expect(message).not.toContain('s3cret')
    return /\((.*)\)/.exec(message)?.[1] ?? ''
  }
}

describe('the file of providers', () => {
  it('means no providers when it is missing', () => {
    expect(readProviders(join(temporaryFolder(), 'oauth2.json')).size).toBe(0)
  })

  it('is read in the form of real servers, in its order', () => {
    const { scopes, ...withoutScopes } = github
    const providers = providersOf({ 'My OIDC': { ...withoutScopes, some: 'more' }, GitHub: github })
    expect([...providers.keys()]).toEqual(['My OIDC', 'GitHub'])
    expect(providers.get('GitHub')).toMatchObject({ clientId: 'id', scopes, userIdPath: 'id' })
    expect(providers.get('My OIDC')?.scopes).toEqual([])
  })

  it.each([
    ['is cut off', '{"GitHub":\n{"client_secret": "s3cret"', 'it is no JSON from line 2 on'],
    ['is empty', '', 'it is no JSON'],
    ['is a list', '[]', 'it must hold an object of providers by name'],
    ['lacks a secret part', { ...github, client_id: undefined }, '"GitHub" → "client_id" is missing or wrong'],
    ['lacks an address', { ...github, endpoint: { auth_url: 'https://x' } }, '"GitHub" → "endpoint" → "token_url"'],
    ['sends codes without TLS', { ...github, user_info_url: 'http://id.example/' }, 'is no https:// address'],
    ['names no place of the id', { ...github, user_id_path: '' }, '"GitHub" → "user_id_path"'],
  ])('that %s is named with its fault', (_, content, fault) => {
    const text = typeof content === 'string' ? content : JSON.stringify({ GitHub: content })
    expect(wordsAbout(text)).toContain(fault)
  })

  it('may contain loopback addresses without TLS', () => {
    for (const host of ['127.0.0.1:1', 'localhost', '[::1]:9']) {
      expect(wordsAbout(JSON.stringify({ GitHub: { ...github, user_info_url: `http://${host}/` } }))).toBe('fine')
    }
  })

  it('must not contain a provider with the name of the callback', () => {
    expect(wordsAbout(JSON.stringify({ callback: github }))).toMatch(/^"callback" is no name to choose/)
  })

  it('must not contain two names that differ only by case: they would share their bindings', () => {
    expect(wordsAbout(JSON.stringify({ GitHub: github, github }))).toMatch(/^"github" is there twice/)
  })
})

describe('a start with an invalid file of providers', () => {
  const start = async (text: string, mode = 0o600) => {
    const dataDir = join(temporaryFolder(), 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const file = join(dataDir, 'oauth2.json')
    writeFileSync(file, text)
    chmodSync(file, mode)
    const server = await startServerProcess({ DATA_DIR: dataDir })
    expect(server.address).toBe('')
    expect(await server.ended).toBe(1)
    expect(existsSync(join(dataDir, 'wheelhouse.db'))).toBe(false)
    return { file, output: server.output() }
  }

  it('fails with one sentence, and changes nothing', async () => {
    const { output } = await start('{')
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output).toMatch(/^The sign-in providers in .* cannot be used \(it is no JSON/)
  })

  it.skipIf(process.platform === 'win32')('says how to close one that others can read', async () => {
    const { file, output } = await start(JSON.stringify({ GitHub: github }), 0o640)
    expect(output.trim()).toBe(
      `${file} holds secrets and is open to other users: run "chmod 600 ${file}", then start again.`,
    )
  })
})
