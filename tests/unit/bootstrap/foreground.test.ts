import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const foreground = pathToFileURL(join(import.meta.dirname, '../../../scripts/bootstrap/foreground.mjs')).href

const launched = pathToFileURL(join(import.meta.dirname, '../../../scripts/bootstrap/launched.mjs')).href

/** A launcher as `npm start` has one, around a program that counts the signals to end and then ends with code 7. */
async function launch(program: string, run = `runForeground(process.execPath, [file])`) {
  const folder = temporaryFolder()
  const file = join(folder, 'program.mjs')
  const launcher = join(folder, 'launcher.mjs')
  writeFileSync(file, program)
  writeFileSync(
    launcher,
    `import { runForeground, runServer } from ${JSON.stringify(foreground)}
     import { endingWithParent } from ${JSON.stringify(launched)}
     const file = ${JSON.stringify(file)}
     process.exitCode = await ${run}`,
  )
  const child = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const says = async (text: string) => {
    await vi.waitFor(() => expect(output).toContain(text))
  }
  return { child, closed, says, output: () => output }
}

const countsWishes = `
  let wishes = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      wishes += 1
      if (wishes === 1) setTimeout(() => { console.log(signal, 'received', wishes); process.exit(7) }, 300)
    })
  }
  setInterval(() => {}, 1000)
  console.log('ready')`

describe('npm start in the terminal', () => {
  it('passes Ctrl-C on once, though terminal and npm both send it, and ends with the code of the server', async () => {
    const { child, closed, says, output } = await launch(countsWishes)
    await says('ready')
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGINT'), 50)
    expect(await closed).toEqual([7, null])
    expect(output()).toContain('SIGINT received 1')
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('passes %s on', async (signal) => {
    const { child, closed, says, output } = await launch(countsWishes)
    await says('ready')
    child.kill(signal)
    expect(await closed).toEqual([7, null])
    expect(output()).toContain(`${signal} received 1`)
  })

  it('ends the server too when it is killed', async () => {
    const { child, closed, says, output } = await launch(countsWishes)
    await says('ready')
    child.kill('SIGKILL')
    await closed
    expect(output()).toContain('SIGTERM received 1')
  })

  it('reports a server that a signal ended', async () => {
    const { closed } = await launch(`process.kill(process.pid, 'SIGKILL')`)
    expect(await closed).toEqual([137, null])
  })

  it('ends when the server ends by itself', async () => {
    const { closed } = await launch(`console.log('done')`)
    expect(await closed).toEqual([0, null])
  })
})

/** A server that says its number, and its process; `body` begins when it serves. */
const serverOf = (body: string) => `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs'
  const count = new URL('count', import.meta.url)
  const number = existsSync(count) ? Number(readFileSync(count, 'utf8')) + 1 : 1
  writeFileSync(count, String(number))
  setInterval(() => {}, 1000)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal, 'received'); process.exit(7) })
  const serves = () => process.send('serving')
  ${body}
  console.log('number', number, 'is', process.pid, 'there')`

const serving = (pauses = '[0]') => `runServer(process.execPath, endingWithParent([file]), process.cwd(), ${pauses})`

describe('a server that npm start runs', () => {
  it('is started again after an error and after kill -9, and ends with its own code when it is asked to', async () => {
    const { child, closed, says, output } = await launch(
      serverOf(`serves(); if (number === 1) setTimeout(() => { throw new Error('broken') }, 50)`),
      serving(),
    )
    await says('number 2')
    expect(output()).toContain('The server ended (exit code 1), and is started again.')
    process.kill(Number(/number 2 is (\d+)/.exec(output())?.[1]), 'SIGKILL')
    await says('number 3')
    expect(output()).toContain('The server ended (exit code 137), and is started again.')
    child.kill('SIGTERM')
    expect(await closed).toEqual([7, null])
    expect(output().match(/SIGTERM received/g)).toHaveLength(1)
  })

  it('is not tried again when it could not start', async () => {
    const { closed, output } = await launch(serverOf('process.exit(1)'), serving())
    expect(await closed).toEqual([1, null])
    expect(output()).not.toContain('again')
  })

  it('is not tried for ever when it cannot start any more', async () => {
    const { closed } = await launch(
      serverOf(`if (number > 1) process.exit(3); serves(); setTimeout(() => { throw new Error('broken') }, 50)`),
      serving(),
    )
    expect(await closed).toEqual([3, null])
  })

  it('stays ended when it ended as it should', async () => {
    const { closed, output } = await launch(serverOf('serves(); setTimeout(() => process.exit(0), 50)'), serving())
    expect(await closed).toEqual([0, null])
    expect(output()).not.toContain('number 2')
  })

  it('is not started again when Ctrl-C comes while the launcher waits', async () => {
    const { child, closed, says } = await launch(
      serverOf(`serves(); setTimeout(() => { throw new Error('broken') }, 50)`),
      serving('[60_000, 60_000]'),
    )
    await says('in 60 s')
    child.kill('SIGINT')
    expect(await closed).toEqual([130, null])
  })

  it('ends when the launcher is killed', async () => {
    const { child, closed, says, output } = await launch(serverOf('serves()'), serving())
    await says('there')
    child.kill('SIGKILL')
    await closed
    expect(output()).toContain('SIGTERM received')
  })
})
