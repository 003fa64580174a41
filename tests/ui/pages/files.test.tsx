import { ThemeProvider } from '@mui/material/styles'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { CoreAdminContext, testDataProvider } from 'react-admin'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { Toasts } from '../../../src/components/messages/Toasts.tsx'
import { theme } from '../../../src/components/theme/theme.ts'
import FilePanel from '../../../src/custom/files/FilePanel.tsx'
import { useOpenedFiles } from '../../../src/custom/files/useFileSession.ts'
import { FakeMachine, workInPage } from '../../support/server/testMachine.ts'

const some = {
  '/home/ann/notes.txt': 'one\r\ntwo\r\n',
  '/home/ann/Server.log': 'all is well',
  '/home/ann/.profile': 'x',
  '/home/ann/site/index.html': '<p>',
  '/home/ann/site/img/logo.png': 'png',
}

function FilesOfSite() {
  return <FilePanel {...useOpenedFiles(7, '/home/ann/site')} serverName="web-1" />
}

function Files() {
  return <FilePanel {...useOpenedFiles(7)} serverName="web-1" />
}

/** While the code of the panel is on its way. */
function NoPanel() {
  useOpenedFiles(7)
  return null
}

async function show(
  files: Record<string, string> = some,
  call = async () => ({ session_id: 's' }),
  Content: ComponentType = Files,
) {
  const machine = new FakeMachine(files)
  workInPage(machine)
  const saved: { name: string; blob: Blob }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs.get(this.href) as Blob })
  })
  // Rows are drawn where there is room for them, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(640)
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  const blobs = new Map<string, Blob>()
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        blobs.set(`blob:${blobs.size}`, blob)
        return `blob:${blobs.size - 1}`
      },
      revokeObjectURL: () => {},
    }),
  )
  render(
    <CoreAdminContext i18nProvider={await completeTranslator()} dataProvider={testDataProvider({ call } as never)}>
      <ThemeProvider theme={theme}>
        <Content />
        <Toasts />
      </ThemeProvider>
    </CoreAdminContext>,
  )
  return { machine, saved, user: userEvent.setup({ delay: null }) }
}

/** With the texts of parts that are fetched on demand. */
async function completeTranslator() {
  const translator = await createI18nProvider('en-US')
  await translator.complete()
  return translator
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const names = () => screen.queryAllByRole('row').map((row) => within(row).getAllByRole('gridcell')[0]?.title)
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const steps = () =>
  within(screen.getByRole('navigation', { name: 'Path' }))
    .getAllByRole('button')
    .map(({ textContent, ariaLabel }) => textContent || ariaLabel)
const choose = async (user: ReturnType<typeof userEvent.setup>, item: string) => {
  await user.click(screen.getByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}
const pick = (user: ReturnType<typeof userEvent.setup>, ...files: File[]) =>
  user.upload(document.querySelector('[data-upload=files]') as HTMLInputElement, files)

describe('The files of a server', () => {
  it('start in the home directory, folders first, hidden ones on demand', async () => {
    const { user, machine } = await show()
    await row('notes.txt')
    expect(machine.asked).toEqual(['list '])
    expect(names()).toEqual(['site', 'notes.txt', 'Server.log'])
    await choose(user, 'Show hidden files')
    expect(names()).toEqual(['site', '.profile', 'notes.txt', 'Server.log'])
  })

  it('are asked for while the code of the panel is on its way', async () => {
    const { machine } = await show(some, undefined, NoPanel)
    await waitFor(() => expect(machine.asked).toEqual(['list ']))
  })

  it('start in the folder in which the shell beside them is', async () => {
    await show(some, undefined, FilesOfSite)
    expect(await screen.findByText('index.html')).toBeTruthy()
    expect(screen.queryByText('notes.txt')).toBeNull()
  })

  it('are walked through by keys alone', async () => {
    const { user } = await show()
    await row('notes.txt')
    await waitFor(() => expect(document.activeElement?.role).toBe('grid'))
    await user.keyboard('{Home}{Enter}')
    await row('index.html')
    expect(steps()).toEqual(['Parent folders', 'home', 'ann', 'site'])
    await user.keyboard('{Backspace}')
    const left = await row('site')
    expect(left.ariaSelected).toBe('true')
    await user.keyboard('se')
    expect((await row('Server.log')).ariaSelected).toBe('true')
    await user.keyboard('{ArrowUp}')
    expect((await row('notes.txt')).ariaSelected).toBe('true')
  })

  it('are narrowed by typing, and say so when nothing is left', async () => {
    const { user } = await show()
    await row('notes.txt')
    await user.type(screen.getByRole('searchbox', { name: 'Filter' }), 'LOG')
    expect(names()).toEqual(['Server.log'])
    await user.type(screen.getByRole('searchbox', { name: 'Filter' }), 'x')
    expect(screen.getByText('No name contains “LOGx”.')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(names()).toHaveLength(3)
  })

  it('say when a path could not be opened and home is shown instead', async () => {
    const { user } = await show()
    await row('notes.txt')
    await choose(user, 'Go to')
    const path = await screen.findByRole('textbox', { name: 'Path' })
    await user.clear(path)
    await user.type(path, '/nowhere{Enter}')
    expect(await screen.findByText('/nowhere could not be opened, showing /home/ann')).toBeTruthy()
  })

  it('show the message of the server when it opens no session, and try again', async () => {
    const answers = [Promise.reject(new Error('server not found or not connected')), Promise.resolve()]
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user } = await show(some, async () => {
      await answers.shift()
      return { session_id: 's' }
    })
    expect(await screen.findByText('server not found or not connected')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await row('notes.txt')
  })
})

describe('A download', () => {
  it('is handed over whole, also the second file of one name', async () => {
    const { user, saved } = await show()
    await row('notes.txt')
    for (const count of [1, 2]) {
      await user.click(screen.getByRole('button', { name: 'Download notes.txt' }))
      await waitFor(() => expect(saved).toHaveLength(count))
    }
    expect(saved.map(({ name }) => name)).toEqual(['notes.txt', 'notes.txt'])
    expect(saved.map(({ blob }) => blob.size)).toEqual([10, 10])
  })

  it('of an empty file is an empty file; none has a type by which an ending would be added', async () => {
    const { user, saved } = await show({ ...some, '/home/ann/Dockerfile': '' })
    await row('Dockerfile')
    await user.click(screen.getByRole('button', { name: 'Download Dockerfile' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({ name: 'Dockerfile', blob: { size: 0, type: 'application/octet-stream' } })
    expect(screen.queryByText('requested file is empty')).toBeNull()
  })

  it('names what would mislead as it is', async () => {
    await show({ '/home/ann/txt.\u202egnp.exe': 'x', '/home/ann/two\nlines': 'x' })
    expect(await screen.findByText('txt.\\u202egnp.exe')).toBeTruthy()
    expect(screen.getByText('two\\nlines')).toBeTruthy()
  })

  it('that makes no progress can be cancelled', async () => {
    const { user, machine } = await show()
    await row('notes.txt')
    machine.isSilent = true
    await user.click(screen.getByRole('button', { name: 'Download notes.txt' }))
    const dialog = await screen.findByRole('dialog', { name: 'Downloading...' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Cancelled: notes.txt')).toBeTruthy()
  })
})

describe('An upload', () => {
  it('shows its progress, lists the folder first, and the list again at the end', async () => {
    const { user, machine } = await show()
    await row('notes.txt')
    await pick(user, new File(['fresh'], 'new.txt'))
    await row('new.txt')
    expect(machine.files.get('/home/ann/new.txt')).toBe('fresh')
    expect(machine.asked).toEqual(['list ', 'list /home/ann', 'upload /home/ann/new.txt', 'list /home/ann'])
  })

  it('asks once before it overwrites, and can skip what is there', async () => {
    const { user, machine } = await show()
    await row('notes.txt')
    await pick(user, new File(['mine'], 'notes.txt'), new File(['fresh'], 'new.txt'))
    const question = await screen.findByRole('alertdialog', { name: '1 file already exists. Overwrite it?' })
    expect(machine.asked.filter((asked) => asked.startsWith('upload'))).toEqual([])
    await user.click(within(question).getByRole('button', { name: 'Skip it' }))
    await row('new.txt')
    expect(machine.files.get('/home/ann/notes.txt')).toBe('one\r\ntwo\r\n')
  })

  it('sends nothing after Cancel', async () => {
    const { user, machine } = await show()
    await row('notes.txt')
    await pick(user, new File(['mine'], 'notes.txt'))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(machine.asked).toEqual(['list ', 'list /home/ann'])
  })
})

describe('A text file', () => {
  const edit = async (user: ReturnType<typeof userEvent.setup>, text: string, name = 'notes.txt') => {
    const field = await screen.findByRole('textbox', { name })
    await user.click(field)
    await user.keyboard(text)
    await user.click(screen.getByRole('button', { name: 'Save' }))
  }

  it('is changed where it is, and keeps its line endings', async () => {
    const { user, machine } = await show()
    await user.click(await row('notes.txt'))
    expect(await screen.findByText(/UTF-8 · CRLF/)).toBeTruthy()
    await edit(user, 'new ')
    await waitFor(() => expect(machine.files.get('/home/ann/notes.txt')).toContain('new '))
    expect(machine.files.get('/home/ann/notes.txt')?.match(/\r\n/g)).toHaveLength(2)
  })

  it('that somebody else has changed is not overwritten without a question', async () => {
    const { user, machine } = await show()
    await user.click(await row('notes.txt'))
    await screen.findByText(/UTF-8 · CRLF/)
    machine.files.set('/home/ann/notes.txt', 'theirs')
    await edit(user, 'new ')
    const question = await screen.findByRole('alertdialog', { name: 'notes.txt has changed on the server' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(machine.files.get('/home/ann/notes.txt')).toBe('theirs')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Overwrite the file on the server' }))
    await waitFor(() => expect(machine.files.get('/home/ann/notes.txt')).toContain('new '))
  })

  it('that is empty can be filled', async () => {
    const { machine, user } = await show({ '/home/ann/empty.conf': '' })
    await user.click(await row('empty.conf'))
    await edit(user, 'first', 'empty.conf')
    await waitFor(() => expect(machine.files.get('/home/ann/empty.conf')).toBe('first'))
    expect(screen.queryByText('requested file is empty')).toBeNull()
  })

  it('above 1 MiB is not opened', async () => {
    const { user } = await show({ '/home/ann/large': 'x'.repeat(1024 * 1024 + 1) })
    await user.click(await row('large'))
    expect(await screen.findByText(/This file is 1 MiB. Texts up to 1 MiB/)).toBeTruthy()
  })
})
