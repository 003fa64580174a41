import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const change = (id: number, username: string, record_name: string) => ({
  id,
  at: '2026-11-21T00:00:00Z',
  entity: 'server-group',
  record_id: id,
  record_name,
  action: 'created',
  user_id: 2,
  username,
  fields: [{ name: 'name', to: record_name }],
})

it('Recent changes show what everybody did, with the way to the record', async () => {
  await renderConsole({
    path: '/dashboard/recent-changes',
    prepare: alterReplies('changes', () => ({
      value: [change(2, 'mara', 'Paris'), change(1, 'admin', 'Tokyo')],
      pagination: { offset: 0, limit: 25, total: 40 },
    })),
  })
  const everybody = within(await screen.findByRole('region', { name: 'By everybody' }))
  expect((await everybody.findByRole('link', { name: 'Paris' })).getAttribute('href')).toBe(
    '/dashboard/server-group/2/overview',
  )
  everybody.getByText(/mara/)
  everybody.getByText(/admin/)
  everybody.getByRole('button', { name: /25|2 of 40/ })
})

it('A server that keeps no changes shows those of this browser alone', async () => {
  await renderConsole({
    path: '/dashboard/recent-changes',
    prepare: alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined })),
  })
  await screen.findByRole('heading', { name: 'Recent changes' })
  await screen.findByText('Server 1.2.3')
  expect(screen.queryByRole('region', { name: 'By everybody' })).toBeNull()
})
