import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { questionLimits } from '../../../src/schemas/inspect/question.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { questionFleet } from '../../support/inspect/questionFleet.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

describe('this machine', () => {
  async function own() {
    const all = await questionFleet(1)
    const programs = fakePrograms(temporaryFolder())
    const [host] = all.hosts
    if (!host) throw new Error('no host')
    const { exec } = host.operations
    host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
    return {
      ...all,
      async told(kind: string, text: string) {
        const state = await all.end(await all.ask(kind, text))
        const [answer] = state.answers
        return { ...state.texts[0], ...(answer?.cause && { cause: answer.cause, reason: answer.reason }) }
      },
    }
  }

  it('says the content of a file, and what it is when it is none', async () => {
    const { told } = await own()
    const folder = temporaryFolder()
    const path = join(folder, "it's $(id) `x` \\ ü.conf")
    writeFileSync(path, 'port 80\n')
    mkdirSync(join(folder, 'conf.d'))
    writeFileSync(join(folder, 'large'), 'x'.repeat(questionLimits.answerBytes + 1))
    writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0]))
    writeFileSync(join(folder, 'empty'), '')
    expect(await told('file', path)).toEqual({ id: 0, text: 'port 80\n' })
    expect(await told('file', join(folder, 'none'))).toEqual({ id: 0, text: '', is_absent: true })
    expect(await told('file', join(folder, 'empty'))).toEqual({ id: 0, text: '' })
    expect(await told('file', join(folder, 'conf.d'))).toMatchObject({ reason: 'The machine said: this is not a file' })
    expect(await told('file', join(folder, 'large'))).toMatchObject({ truncated: true, size: 65_537 })
    expect(await told('file', join(folder, 'binary'))).toMatchObject({
      size: 3,
      checksum: expect.stringMatching(/^\w{64}$/),
    })
  })

  it('runs a command by the shell, with both of its outputs in order', async () => {
    const { told } = await own()
    const command = `echo "it's" 1; echo two >&2; echo $((1 + 2)); exit 3`
    expect(await told('command', command)).toEqual({ id: 0, text: "it's 1\ntwo\n3\n", exit_code: 3 })
  })

  it('says the state of a unit', async () => {
    const { told } = await own()
    expect(await told('unit', 'nginx.service')).toEqual({ id: 0, text: 'active (running), enabled' })
  })

  it('says which processes run, without those that ask', async () => {
    const { told } = await own()
    expect((await told('process', 'VITEST')).text).toMatch(/vitest/i)
    // Those of other tests on this machine are there for a moment.
    await expect.poll(() => told('process', 'ps -ww -e -o')).toMatchObject({ is_absent: true })
  })
})
