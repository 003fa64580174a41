import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { TestTranslationProvider } from 'react-admin'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { lazyPart } from '../../../src/engine/parts/lazyPart.tsx'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'

interface PartProps {
  text: string
  onClose?: () => void
}

/** A part whose file cannot be fetched while the server is away. */
function partOf(server: { isAway: boolean }) {
  return lazyPart<PartProps>(async () => {
    if (server.isAway) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: ({ text }) => <p>{text}</p> }
  })
}

const draw = (children: React.ReactNode) =>
  render(
    <TestTranslationProvider translate={(key: string) => key}>
      <input aria-label="Note" defaultValue="" />
      <Suspense>{children}</Suspense>
    </TestTranslationProvider>,
  )

afterEach(cleanup)

describe('A part that could not be fetched because the server was away', () => {
  it('leaves the screen as it is, and is fetched by Retry once the server is back', async () => {
    const errors = catchErrors()
    const user = userEvent.setup()
    const server = { isAway: true }
    const Part = partOf(server)
    draw(<Part text="here" />)
    await user.type(screen.getByLabelText('Note'), 'typed')
    await screen.findByText('app.part.failed')
    expect(errors()).toContain('Failed to fetch')

    await user.click(screen.getByRole('button', { name: 'app.list.retry' }))
    await screen.findByText('app.part.failed')
    server.isAway = false
    await user.click(screen.getByRole('button', { name: 'app.list.retry' }))
    await screen.findByText('here')
    expect(screen.queryByText('app.part.failed')).toBeNull()
    expect(screen.getByLabelText('Note')).toHaveProperty('value', 'typed')
  })

  it('is fetched again when it is opened again', async () => {
    catchErrors()
    const server = { isAway: true }
    const Part = partOf(server)
    const { unmount } = draw(<Part text="here" />)
    await screen.findByText('app.part.failed')
    unmount()
    server.isAway = false
    draw(<Part text="here" />)
    await screen.findByText('here')
  })

  it('shows the failure in a dialog when it is one, and that can be closed', async () => {
    catchErrors()
    const user = userEvent.setup()
    const Part = partOf({ isAway: true })
    const onClose = vi.fn()
    draw(<Part text="here" onClose={onClose} />)
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe('A part that was fetched ahead', () => {
  it('is there with its first drawing', async () => {
    const Part = partOf({ isAway: false })
    await Part.prepare()
    draw(<Part text="here" />)
    expect(screen.getByText('here')).toBeTruthy()
  })

  it('is fetched again when it is drawn, if that failed', async () => {
    const server = { isAway: true }
    const Part = partOf(server)
    await Part.prepare()
    server.isAway = false
    draw(<Part text="here" />)
    expect(screen.queryByText('here')).toBeNull()
    await screen.findByText('here')
  })
})
