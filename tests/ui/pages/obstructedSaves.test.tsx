import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { enterText } from '../../support/console/enterText.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const full = {
  errcode: 13,
  isNow: 'isDiskFull',
  refusal: /the disk of the server is full: nothing was saved; free some space and try again/,
  line: 'The server’s disk is full: nothing can be saved until there is free space on it.',
} as const
const busy = {
  errcode: 5,
  isNow: 'isBusy',
  refusal: /another program is using the database of the server: nothing was saved; end that program/,
  line: 'Another program is using the server’s database: nothing can be saved until it is done.',
} as const

it.each([
  ['without space on its disk', full],
  ['with a database that another program holds', busy],
])(
  'a server %s is announced once a save fails, until that is over',
  async (_what, { errcode, isNow, refusal, line }) => {
    const { user, server } = await renderConsole({ path: '/dashboard/server-group/create' })
    await enterText(user, await screen.findByRole('textbox', { name: /^Name/ }), 'Rack 1')
    await screen.findByText('Hi, admin')
    expect(screen.queryByText(line)).toBeNull()
    const obstacle = Object.assign(new Error('SQLite says why'), { errcode })
    const transaction = vi.spyOn(server.store, 'transaction').mockImplementation(() => {
      throw obstacle
    })
    const isObstructed = vi.spyOn(server.store, isNow).mockReturnValue(true)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(refusal)
    await screen.findByText(line)
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Rack 1')
    transaction.mockRestore()
    isObstructed.mockRestore()
    await vi.advanceTimersByTimeAsync(15_000)
    await waitFor(() => expect(screen.queryByText(line)).toBeNull())
    vi.useRealTimers()
  },
)
