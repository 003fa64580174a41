import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { alterReplies } from './alterReplies.ts'
import { type RenderOptions, renderConsole } from './renderConsole.tsx'

/** On a server that announces nothing of its own, a page of its own is not there, and nobody asks for its rows. */
export async function expectHiddenTab(page: RenderOptions): Promise<void> {
  const { network } = await renderConsole({
    ...page,
    prepare: alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined })),
  })
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  expect(network.sent.filter(({ path }) => path.startsWith('wheelhouse'))).toEqual([])
}
