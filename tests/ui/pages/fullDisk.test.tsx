import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { enterText } from '../../support/console/enterText.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

it('a server without space on its disk is announced once a save fails, until there is space', async () => {
  const { user, server } = await renderConsole({ path: '/dashboard/server-group/create' })
  await enterText(user, await screen.findByRole('textbox', { name: /^Name/ }), 'Rack 1')
  await screen.findByText('Hi, admin')
  expect(screen.queryByText(/The server’s disk is full/)).toBeNull()
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  const transaction = vi.spyOn(server.store, 'transaction').mockImplementation(() => {
    throw full
  })
  const isDiskFull = vi.spyOn(server.store, 'isDiskFull').mockReturnValue(true)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/the disk of the server is full: nothing was saved; free some space and try again/)
  await screen.findByText('The server’s disk is full: nothing can be saved until there is free space on it.')
  expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Rack 1')
  transaction.mockRestore()
  isDiskFull.mockRestore()
  await vi.advanceTimersByTimeAsync(15_000)
  await waitFor(() => expect(screen.queryByText(/The server’s disk is full/)).toBeNull())
  vi.useRealTimers()
})
