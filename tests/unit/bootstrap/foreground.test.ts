import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const foreground = pathToFileURL(join(import.meta.dirname, '../../../scripts/bootstrap/foreground.mjs')).href

/** A launcher as `npm start` has one, around a program that counts the signals to end and then ends with code 7. */
async function launch(program: string) {
  const folder = temporaryFolder()
  const file = join(folder, 'program.mjs')
  const launcher = join(folder, 'launcher.mjs')
  writeFileSync(file, program)
  writeFileSync(
    launcher,
    `import { runForeground } from ${JSON.stringify(foreground)}
     process.exitCode = await runForeground(process.execPath, [${JSON.stringify(file)}])`,
  )
  const child = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const says = async (text: string) => {
    while (!output.includes(text)) await once(child.stdout, 'data')
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
