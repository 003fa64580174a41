import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { alterReplies } from './alterReplies.ts'
import { type RenderOptions, renderConsole } from './renderConsole.tsx'

/** Expects that a page of the embedded server is hidden and requests nothing where a server does not announce it. */
export async function expectHiddenTab(page: RenderOptions): Promise<void> {
  const { network } = await renderConsole({
    ...page,
    prepare: alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined })),
  })
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  expect(network.sent.filter(({ path }) => path.startsWith('wheelhouse'))).toEqual([])
}
