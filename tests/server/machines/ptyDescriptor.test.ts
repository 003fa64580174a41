import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { descriptorOf } from '../../../server/machines/hosts/local/shell/ptyDescriptor.ts'

const knownVersions = ['1.1.0']

/**
 * A failure here means that node-pty has changed: read its code again, correct `ptyDescriptor.ts`, try terminals, and
 * add the version above.
 */
describe('The private members of node-pty', () => {
  it('belong to a version for which they were checked', () => {
    const path = new URL('../../../node_modules/@lydell/node-pty/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    expect(knownVersions).toContain(version)
  })

  it.skipIf(process.platform === 'win32')(
    'are the descriptor of an open terminal, and whether it is closed',
    async () => {
      const pty = spawn('/bin/sh', ['-c', 'read line'], { encoding: null })
      const { fd, isClosed } = descriptorOf(pty)
      expect(isatty(fd)).toBe(true)
      expect(isClosed()).toBe(false)
      const exited = new Promise((resolve) => pty.onExit(resolve))
      pty.write('\r')
      await exited
      expect(isClosed()).toBe(true)
    },
  )

  it.skipIf(process.platform === 'win32')('are required: without them no terminal is opened', () => {
    for (const pty of [{}, { fd: 7 }, { _socket: { destroyed: false } }, { fd: 7, _socket: {} }]) {
      expect(() => descriptorOf(pty as never)).toThrow('This version of node-pty cannot be used')
    }
  })
})
