import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FileError, type HostFiles, type UploadMethod } from '../../../server/machines/hosts/files.ts'
import { createLocalFiles } from '../../../server/machines/hosts/local/files/localFiles.ts'
import { asUnprivilegedUser } from '../../support/server/process/asUnprivilegedUser.ts'
import { makePipe } from '../../support/server/process/makePipe.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** A machine with one folder, which everybody may enter. */
function machine(): { folder: string; files: HostFiles } {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  return { folder, files: createLocalFiles(folder) }
}

/** Uploads a file. @returns how its content was stored, or why it was not */
async function put(files: HostFiles, path: string, content = 'new'): Promise<UploadMethod | string> {
  try {
    const sink = await files.beginUpload(Buffer.from(path), 8)
    try {
      await sink.write([Buffer.from(content)])
      return await sink.finish()
    } catch (error) {
      await sink.abort()
      throw error
    }
  } catch (error) {
    if (error instanceof FileError) return error.message
    throw error
  }
}

const textOf = (path: string) => readFileSync(path, 'utf8')
const modeOf = (path: string) => statSync(path).mode & 0o7777

describe('an upload', () => {
  it('makes a file that others may read, whatever the umask of the server', async () => {
    const { folder, files } = machine()
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    expect(await put(files, `${folder}/new`)).toBe('created')
    expect(modeOf(`${folder}/new`)).toBe(0o644)
  })

  it('keeps the mode and the owner of the file that it replaces', async () => {
    const { folder, files } = machine()
    writeFileSync(`${folder}/script`, 'old')
    chmodSync(`${folder}/script`, 0o750)
    if (process.getuid?.() === 0) chownSync(`${folder}/script`, 1234, 5678)
    const { ino, uid, gid } = statSync(`${folder}/script`)
    expect(await put(files, `${folder}/script`)).toBe('replaced')
    expect(statSync(`${folder}/script`)).toMatchObject({ uid, gid })
    expect(statSync(`${folder}/script`).ino).not.toBe(ino)
    expect(modeOf(`${folder}/script`)).toBe(0o750)
    expect(textOf(`${folder}/script`)).toBe('new')
    expect(readdirSync(folder)).toEqual(['script'])
  })

  it('follows links, and leaves them as they are', async () => {
    const { folder, files } = machine()
    mkdirSync(`${folder}/real`)
    writeFileSync(`${folder}/real/file`, 'old')
    symlinkSync('real/file', `${folder}/first`)
    symlinkSync(`${folder}/first`, `${folder}/second`)
    symlinkSync('real', `${folder}/folder`)
    symlinkSync('real/made', `${folder}/dangling`)
    expect(await put(files, `${folder}/second`, 'through two')).toBe('replaced')
    expect(textOf(`${folder}/real/file`)).toBe('through two')
    expect(await put(files, `${folder}/folder/file`, 'through a folder')).toBe('replaced')
    expect(textOf(`${folder}/real/file`)).toBe('through a folder')
    expect(await put(files, `${folder}/folder/../top`)).toBe('created')
    expect(await put(files, `${folder}/dangling`)).toBe('created')
    expect(readdirSync(`${folder}/real`)).toEqual(['file', 'made'])
    for (const link of ['first', 'second', 'folder', 'dangling']) {
      expect(lstatSync(join(folder, link)).isSymbolicLink()).toBe(true)
    }
    expect(readdirSync(folder)).toEqual(['dangling', 'first', 'folder', 'real', 'second', 'top'])
  })

  it('reaches all names of a file with several', async () => {
    const { folder, files } = machine()
    writeFileSync(`${folder}/one`, 'old and longer')
    linkSync(`${folder}/one`, `${folder}/two`)
    expect(await put(files, `${folder}/one`)).toBe('in place')
    expect(textOf(`${folder}/two`)).toBe('new')
    expect(statSync(`${folder}/two`).nlink).toBe(2)
    expect(readdirSync(folder)).toEqual(['one', 'two'])
  })

  it('that ends early leaves a file with several names as it was', async () => {
    const { folder, files } = machine()
    writeFileSync(`${folder}/one`, 'old')
    linkSync(`${folder}/one`, `${folder}/two`)
    const sink = await files.beginUpload(Buffer.from(`${folder}/one`), 8)
    await sink.write([Buffer.from('half')])
    await sink.abort()
    expect(textOf(`${folder}/two`)).toBe('old')
    expect(readdirSync(folder)).toEqual(['one', 'two'])
  })

  it('writes over the content where nothing may be made beside it', async () => {
    const { folder, files } = machine()
    writeFileSync(`${folder}/writable`, 'old')
    chmodSync(`${folder}/writable`, 0o666)
    chmodSync(folder, 0o555)
    expect(await asUnprivilegedUser(() => put(files, `${folder}/writable`))).toBe('in place')
    expect(textOf(`${folder}/writable`)).toBe('new')
    expect(await asUnprivilegedUser(() => put(files, `${folder}/made`))).toBe(`open ${folder}/made: permission denied`)
    chmodSync(folder, 0o755)
    expect(readdirSync(folder)).toEqual(['writable'])
  })

  it('is refused by a read-only file, though its folder may be written', async () => {
    const { folder, files } = machine()
    chmodSync(folder, 0o777)
    writeFileSync(`${folder}/kept`, 'old')
    chmodSync(`${folder}/kept`, 0o444)
    expect(await asUnprivilegedUser(() => put(files, `${folder}/kept`))).toBe(`open ${folder}/kept: permission denied`)
    expect(textOf(`${folder}/kept`)).toBe('old')
  })

  it.runIf(process.getuid?.() === 0)('never takes a file away from its owner', async () => {
    const { folder, files } = machine()
    chmodSync(folder, 0o777)
    writeFileSync(`${folder}/shared`, 'old')
    chmodSync(`${folder}/shared`, 0o666)
    expect(await asUnprivilegedUser(() => put(files, `${folder}/shared`))).toBe('in place')
    expect(statSync(`${folder}/shared`)).toMatchObject({ uid: 0, gid: 0 })
    expect(textOf(`${folder}/shared`)).toBe('new')
    expect(readdirSync(folder)).toEqual(['shared'])
  })

  it('replaces a program that is running', async () => {
    const { folder, files } = machine()
    copyFileSync('/bin/sleep', `${folder}/program`)
    chmodSync(`${folder}/program`, 0o755)
    const running = spawn(`${folder}/program`, ['60'])
    onTestFinished(() => void running.kill())
    await vi.waitFor(() => expect(running.pid).toBeGreaterThan(0))
    expect(await put(files, `${folder}/program`)).toBe('replaced')
    expect(modeOf(`${folder}/program`)).toBe(0o755)
  })

  it('is refused in the words of the system', async () => {
    const { folder, files } = machine()
    writeFileSync(`${folder}/file`, 'old')
    symlinkSync('loop', `${folder}/loop`)
    const long = `${folder}/${'n'.repeat(256)}`
    const refusals = [
      [folder, 'is a directory'],
      [`${folder}/new/`, 'is a directory'],
      [`${folder}/file/`, 'not a directory'],
      [`${folder}/none/file`, 'no such file or directory'],
      [`${folder}/loop`, 'too many levels of symbolic links'],
      [`${folder}/a\0b`, 'invalid argument'],
      [long, 'file name too long'],
    ]
    for (const [path = '', reason] of refusals) expect(await put(files, path)).toBe(`open ${path}: ${reason}`)
    expect(await put(files, '/dev/full')).toBe('write /dev/full: no space left on device')
    expect(readdirSync(folder)).toEqual(['file', 'loop'])
    expect(textOf(`${folder}/file`)).toBe('old')
  })

  it('fails when a pipe is full, and does not wait', async () => {
    const { folder, files } = machine()
    makePipe(`${folder}/pipe`)
    const reader = spawn('/bin/sh', ['-c', 'exec 3<"$1"; echo open; sleep 60', 'sh', `${folder}/pipe`], {
      detached: true,
    })
    onTestFinished(() => void (reader.pid && process.kill(-reader.pid)))
    // Opening a pipe waits for the other end, so it is the shell that opens it for both.
    const sink = await vi.waitFor(() => files.beginUpload(Buffer.from(`${folder}/pipe`), 8), {
      interval: 20,
    })
    await expect(sink.write([Buffer.alloc(1024 * 1024)])).rejects.toThrow(
      /^write .*pipe: resource temporarily unavailable$/,
    )
    await sink.abort()
  })
})
