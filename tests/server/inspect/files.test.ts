import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseFolder } from '../../../server/inspect/subjects/files.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'
import { mcpPrograms, turnMcp } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** Names that programs take for something else, as shells write them and as requests have them. */
const strangeNames = [
  ['-rf', '-rf'],
  ['two\nlines\n', 'two\nlines\n'],
  ['$(id) "\'`', '$(id) "\'`'],
  ['back\\slash \\0101', 'back\\slash \\0101'],
  ['100%41', '100%2541'],
  ['日本語 ', '日本語 '],
] as const

describe('a folder', () => {
  it('has kind, size, date, owner and rights of each entry', async () => {
    const { folder, at, list } = await fileCalls()
    writeFileSync(at('notes.txt'), 'twelve bytes', { mode: 0o640 })
    utimesSync(at('notes.txt'), 1_795_766_400, 1_795_766_400)
    mkdirSync(at('site'), { mode: 0o755 })
    symlinkSync('site', at('to-site'))
    symlinkSync('nowhere', at('broken'))
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', at('pipe')])
    const items = new Map((await list()).items.map((item) => [item.name, item]))
    const owner = execFileSync('stat', ['-c', '%U', folder], { encoding: 'utf8' }).trim()
    expect(items.get('notes.txt')).toEqual({
      name: 'notes.txt',
      kind: 'file',
      size: 12,
      modified: '2026-11-27T08:00:00Z',
      mode: '0640',
      owner,
      group: execFileSync('stat', ['-c', '%G', folder], { encoding: 'utf8' }).trim(),
    })
    expect(items.get('site')).toMatchObject({ kind: 'folder', mode: '0755' })
    expect(items.get('to-site')).toMatchObject({ kind: 'link', target: 'folder' })
    expect(items.get('broken')).not.toHaveProperty('target')
    expect(items.get('pipe')).toMatchObject({ kind: 'pipe' })
    expect(items.size).toBe(5)
  })

  it('that cannot be read says why', async () => {
    const { at, list } = await fileCalls()
    expect(await list(at('none'))).toMatchObject({
      items: [],
      cause: 'failed',
      detail: expect.stringContaining('none'),
    })
  })

  it('is read as busybox prints it, and as far as an answer that is cut goes', () => {
    const printed =
      '81a4 12 1795766400 1000 1000 UNKNOWN UNKNOWN/./a b/\na1ff 4 1795766400 0 0 root root/./l/\n41ed/./l/\n'
    const item = {
      kind: 'file',
      size: 12,
      mode: '0644',
      owner: '1000',
      group: '1000',
      modified: '2026-11-27T08:00:00Z',
    }
    const lines = Buffer.from(printed).toString('base64').replace(/.{30}/g, '$&\n')
    expect(parseFolder(`base64\n${lines}`)).toEqual([
      { name: 'a b', ...item },
      expect.objectContaining({ name: 'l', kind: 'link', target: 'folder' }),
    ])
    const digits = Buffer.from(printed).toString('hex').replace(/../g, ' $&')
    expect(parseFolder(`hex\n${digits}`)).toHaveLength(2)
    expect(parseFolder(`base64\n${lines.slice(0, 80)}`)).toEqual([{ name: 'a b', ...item }])
    for (const odd of ['', 'base64\n', 'hex\nzz', 'no words', `base64\n${btoa('/////////./x/')}`]) {
      expect(parseFolder(odd)).toEqual([])
    }
  })
})

describe('an order', () => {
  it.each(strangeNames)('creates, renames, copies and deletes %j, and nothing else', async (name, text) => {
    const { folder, at, post, names, lastNoted } = await fileCalls()
    writeFileSync(at('bystander'), 'x')
    expect(await post('create', { path: `${folder}/${text}`, kind: 'file' })).toMatchObject({ success: true })
    expect(readdirSync(folder).sort()).toEqual(['bystander', name].sort())
    expect(await names()).toEqual(['bystander', text].sort())
    writeFileSync(at(name), 'content')
    const items = [{ from: `${folder}/${text}`, to: `${folder}/copy` }]
    expect(await post('copy', { items })).toMatchObject({ success: true })
    expect(readFileSync(at('copy'), 'utf8')).toBe('content')
    const back = [{ from: `${folder}/copy`, to: `${folder}/${text}` }]
    expect(await post('move', { items: back })).toEqual({ error: expect.stringContaining('is already there') })
    expect(await post('move', { items: back, overwrite: true })).toMatchObject({ success: true })
    expect(await post('delete', { paths: [`${folder}/${text}`] })).toMatchObject({ success: true })
    expect(await lastNoted()).toMatchObject({ action: 'file.delete', detail: { path: `${folder}/${name}` } })
    expect(readdirSync(folder)).toEqual(['bystander'])
  })

  it('reaches names that are no UTF-8', async () => {
    const { folder, post, names } = await fileCalls()
    execFileSync('sh', ['-c', `touch "$1/$(printf 'caf\\351')"`, 'sh', folder])
    expect(await names()).toEqual(['caf%e9'])
    const items = [{ from: `${folder}/caf%e9`, to: `${folder}/café` }]
    expect(await post('move', { items })).toMatchObject({ success: true })
    expect(readdirSync(folder)).toEqual(['café'])
  })

  it('counts a folder before it is deleted with all that is in it', async () => {
    const { folder, at, post } = await fileCalls()
    mkdirSync(at('site', 'img'), { recursive: true })
    writeFileSync(at('site', 'index.html'), 'x'.repeat(100))
    writeFileSync(at('site', 'img', 'a'), 'x'.repeat(23))
    symlinkSync('/etc', at('site', 'etc'))
    const paths = [`${folder}/site`]
    expect((await post('measure', { paths })).data?.items).toEqual([{ files: 3, folders: 2, bytes: 123 }])
    await post('delete', { paths })
    expect(existsSync(at('site'))).toBe(false)
    expect(existsSync('/etc/passwd')).toBe(true)
  })

  it('moves nothing onto itself by way of a link to its folder, and loses no link by that', async () => {
    const { folder, at, post } = await fileCalls()
    mkdirSync(at('site'))
    writeFileSync(at('site', 'a'), 'x')
    symlinkSync('a', at('site', 'link'))
    symlinkSync('site', at('to-site'))
    for (const name of ['link', 'a']) {
      const items = [{ from: `${folder}/site/${name}`, to: `${folder}/to-site/${name}` }]
      for (const act of ['move', 'copy']) {
        expect(await post(act, { items, overwrite: true })).toEqual({ error: expect.stringContaining('already there') })
      }
    }
    expect(readdirSync(at('site')).sort()).toEqual(['a', 'link'])
    // From one folder to another, a link makes room for a file and a file for a link.
    const items = [{ from: `${folder}/to-site/link`, to: `${folder}/link` }]
    expect(await post('move', { items })).toMatchObject({ success: true })
    expect(readlinkSync(at('link'))).toBe('a')
  })

  it('copies folders with rights, times and links, and never half', async () => {
    const { folder, at, post } = await fileCalls()
    mkdirSync(at('site'), { mode: 0o750 })
    writeFileSync(at('site', 'run'), 'x', { mode: 0o700 })
    utimesSync(at('site', 'run'), 1_700_000_000, 1_700_000_000)
    symlinkSync('run', at('site', 'link'))
    const copied = { items: [{ from: `${folder}/site`, to: `${folder}/site 2` }] }
    expect(await post('copy', copied)).toMatchObject({ success: true })
    expect(statSync(at('site 2', 'run'))).toMatchObject({ mode: 0o100700, mtimeMs: 1_700_000_000_000 })
    expect(readlinkSync(at('site 2', 'link'))).toBe('run')
    expect(await post('copy', { ...copied, overwrite: true })).toEqual({
      error: expect.stringContaining('already there'),
    })
    const inside = [{ from: `${folder}/site`, to: `${folder}/site/deep` }]
    expect(await post('copy', { items: inside })).toEqual({ error: `${folder}/site cannot come into itself` })
    const gone = [{ from: `${folder}/none`, to: `${folder}/other` }]
    expect(await post('copy', { items: gone })).toEqual({ error: expect.stringContaining('The machine said: cp:') })
    expect(readdirSync(folder).sort()).toEqual(['site', 'site 2'])
  })

  it('copies, packs and unpacks what has a name of 255 bytes, to another one', async () => {
    const { folder, at, post, names } = await fileCalls()
    const [one, other] = ['a'.repeat(255), 'b'.repeat(255)]
    const archive = `${'c'.repeat(248)}.tar.gz`
    writeFileSync(at(one), 'x')
    const copied = { items: [{ from: `${folder}/${one}`, to: `${folder}/${other}` }] }
    expect(await post('copy', copied)).toMatchObject({ success: true })
    const packed = { paths: [`${folder}/${one}`], to: `${folder}/${archive}`, format: 'tar.gz' }
    expect(await post('pack', packed)).toMatchObject({ success: true })
    const unpacked = { path: `${folder}/${archive}`, to: `${folder}/${'d'.repeat(255)}` }
    expect(await post('unpack', unpacked)).toMatchObject({ success: true })
    expect(await names()).toEqual([one, other, archive, 'd'.repeat(255)])
  })

  it('is not disturbed by what a killed one with the same number of a process has left behind', async () => {
    const { folder, at, post, names, host } = await fileCalls()
    const programs = fakePrograms(temporaryFolder())
    const { exec } = host.operations
    host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
    programs.replace('cp', `mkdir ${folder}/.wheelhouse-new-$PPID\nPATH=$\{PATH#*:} exec cp "$@"`)
    mkdirSync(at('site'))
    writeFileSync(at('site/index.html'), 'x')
    expect(await post('copy', { items: [{ from: `${folder}/site`, to: `${folder}/other` }] })).toMatchObject({
      success: true,
    })
    expect(readdirSync(at('other'))).toEqual(['index.html'])
    expect((await names()).filter((name) => !name.startsWith('.'))).toEqual(['other', 'site'])
  })

  it('changes the rights of no file to which a link leads, and of nothing beside it', async () => {
    const { folder, at, post } = await fileCalls()
    writeFileSync(at('target'), 'x', { mode: 0o600 })
    writeFileSync(at('a'), 'x', { mode: 0o600 })
    symlinkSync('target', at('link'))
    expect(await post('rights', { paths: [`${folder}/a`, `${folder}/link`], mode: '777' })).toEqual({
      error: `The machine said: ${folder}/link is a link, which has no rights of its own`,
    })
    expect(lstatSync(at('target')).mode & 0o777).toBe(0o600)
    expect(lstatSync(at('a')).mode & 0o777).toBe(0o600)
  })

  it('gives files and folders other rights and another owner', async () => {
    const { folder, at, post, lastNoted } = await fileCalls()
    mkdirSync(at('site'))
    writeFileSync(at('site', 'a'), 'x', { mode: 0o644 })
    const [owner, group] = execFileSync('stat', ['-c', '%U %G', folder], { encoding: 'utf8' }).trim().split(' ')
    const order = { paths: [`${folder}/site`], mode: '2710', owner, group, recursive: true }
    expect(await post('rights', order)).toMatchObject({ success: true })
    expect(lstatSync(at('site', 'a')).mode & 0o7777).toBe(0o2710)
    expect(await lastNoted()).toMatchObject({ action: 'file.rights', detail: { mode: '2710', owner } })
    expect(await post('rights', { ...order, owner: 'nobody-here' })).toEqual({
      error: expect.stringMatching(/^The machine said: chown: .*nobody-here/),
    })
  })

  it.each([
    ['delete', { paths: ['/'] }, 'the root cannot be changed'],
    ['delete', { paths: ['//'] }, 'the root cannot be changed'],
    ['delete', { paths: ['/tmp/..'] }, '/tmp/.. has . or .. in it'],
    ['delete', { paths: ['/tmp/%2e%2E/x'] }, '/tmp/../x has . or .. in it'],
    ['delete', { paths: ['etc'] }, 'etc is not a path from the root'],
    ['delete', { paths: ['/a%00b'] }, 'a path has no zero byte'],
    ['delete', { paths: [`/${'x'.repeat(4096)}`] }, 'a path has at most 4096 bytes'],
    ['delete', { paths: Array(20).fill(`/${'x'.repeat(4000)}`) }, 'these are too many paths for one order'],
    ['delete', { paths: Array(501).fill('/x') }, /^paths is not valid/],
    ['rights', { paths: ['/x'], mode: '888' }, /^mode is not valid/],
    ['rights', { paths: ['/x'], owner: '--help' }, /^owner is not valid/],
    ['rights', { paths: ['/x'] }, /mode, owner or group is needed/],
  ])('to %s %j is refused before the machine hears of it', async (act, body, error) => {
    const { post, askedOfMachine } = await fileCalls()
    const refused = await post(act, body)
    expect(refused.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error))
    expect(askedOfMachine()).toBe(0)
  })
})

const hasZip = execFileSync('sh', ['-c', 'command -v zip && command -v unzip || true'], { encoding: 'utf8' }) !== ''

describe('archives and searches', () => {
  it.each(['tar.gz', 'zip'] as const)('%s is packed of odd names, and unpacked into a new folder', async (format) => {
    const { folder, at, post, names } = await fileCalls()
    mkdirSync(at('-a [1]*', 'deep'), { recursive: true })
    writeFileSync(at('-a [1]*', 'deep', 'x'), 'content')
    writeFileSync(at('b:c'), 'y')
    const to = `${folder}/out [2]: *.${format}`
    const paths = [`${folder}/-a [1]*`, `${folder}/b:c`]
    if (format === 'zip' && !hasZip) {
      const missing = { error: 'The machine said: zip is not installed' }
      return expect(await post('pack', { paths, to, format })).toEqual(missing)
    }
    expect(await post('pack', { paths, to, format })).toMatchObject({ success: true })
    expect(await post('pack', { paths, to, format })).toEqual({ error: expect.stringContaining('already there') })
    expect(await post('unpack', { path: to, to: `${folder}/new place` })).toMatchObject({ success: true })
    expect(readFileSync(at('new place', '-a [1]*', 'deep', 'x'), 'utf8')).toBe('content')
    expect(readdirSync(at('new place')).sort()).toEqual(['-a [1]*', 'b:c'])
    expect(await post('unpack', { path: `${folder}/b:c`, to: `${folder}/none` })).toHaveProperty('error')
    expect(await post('pack', { paths: ['/etc/passwd', paths[0]], to: at('z'), format })).toEqual({
      error: `${paths[0]} is in another folder`,
    })
    expect(await names()).toEqual(['-a [1]*', 'b:c', 'new place', `out [2]: *.${format}`].sort())
  })

  it('find files by name and by content, the largest folders, and a checksum', async () => {
    const { folder, at, ask } = await fileCalls()
    mkdirSync(at('logs', 'old'), { recursive: true })
    mkdirSync(at('small\n1\t.'))
    writeFileSync(at('logs', 'old', 'Error [1].log'), 'a $needle\\n here')
    writeFileSync(at('logs', 'big'), Buffer.alloc(200_000))
    const path = encodeURIComponent(folder)
    const needle = encodeURIComponent('$needle\\n')
    expect((await ask(`/search?path=${path}&name=${encodeURIComponent('error [')}`)).items).toEqual([
      { path: 'logs/old/Error [1].log' },
    ])
    expect((await ask(`/search?path=${path}&text=${needle}`)).items).toEqual([{ path: 'logs/old/Error [1].log' }])
    expect((await ask(`/search?path=${path}&name=big&text=${needle}`)).items).toEqual([])
    const sizes = (await ask(`/sizes?path=${path}`)).items as { name: string; bytes: number }[]
    expect(sizes[0]).toMatchObject({ name: 'logs' })
    expect(sizes[0]?.bytes).toBeGreaterThanOrEqual(200_000)
    const file = encodeURIComponent(at('logs', 'big'))
    const sha256 = createHash('sha256').update(Buffer.alloc(200_000)).digest('hex')
    expect((await ask(`/checksum?path=${file}`)).items).toEqual([{ sha256 }])
    const begun = createHash('sha256').update(Buffer.alloc(70_001)).digest('hex')
    expect((await ask(`/checksum?path=${file}&bytes=70001`)).items).toEqual([{ sha256: begun }])
    expect(await ask(`/checksum?path=${path}`)).toMatchObject({ cause: 'failed', detail: 'this is not a file' })
    // Nobody can read its first bytes: that is no file that is empty.
    expect(await ask('/checksum?path=/proc/self/mem&bytes=5')).toMatchObject({ cause: 'failed', items: [] })
  })
})

it('programs with a token move, copy and change files', async () => {
  const { server, id: server_id, folder, at } = await fileCalls()
  turnMcp(server, true)
  const { tool, value } = mcpPrograms(server)
  expect(await value('fs.mkdir', { server_id, path: at('site') })).toEqual({ done: true })
  writeFileSync(at('a'), 'x')
  expect(await value('fs.copy', { server_id, from: at('a'), to: at('site', 'a') })).toEqual({ done: true })
  expect(await value('fs.move', { server_id, from: at('a'), to: at('b') })).toEqual({ done: true })
  expect(await value('fs.rights', { server_id, path: at('b'), mode: '600' })).toEqual({ done: true })
  expect(statSync(at('b')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).sort()).toEqual(['b', 'site'])
  const bad = await tool('fs.move', { server_id, from: at('b'), to: at('site') })
  expect(bad.content[0].text).toContain('already there')
  const reader = mcpPrograms(server, { scopes: ['nezha:server:read'] })
  const refused = await reader.tool('fs.mkdir', { server_id, path: at('new') })
  expect(refused.content[0].text).toContain('missing required scope: nezha:server:write')
})

it('folders are made with those above them, and none in the place of what is there', async () => {
  const { at, post, names } = await fileCalls()
  expect(await post('folders', { paths: [at('a', 'b'), at('a', 'b', '-c d')] })).toMatchObject({ success: true })
  expect(statSync(at('a', 'b', '-c d')).isDirectory()).toBe(true)
  expect(await post('folders', { paths: [at('new'), at('a'), at('later')] })).toMatchObject({
    error: expect.stringContaining('is already there'),
  })
  expect(await names()).toEqual(['a', 'new'])
})
