import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useRef, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ConsoleRouter, createNavigation } from '../../../src/app/router/routerProvider.tsx'
import { useListQuery } from '../../../src/engine/list/state/ListController.tsx'

/** A search, and a dialog that takes the focus when it opens. */
function SearchAndDialog() {
  const { setFilters } = useListQuery({
    isWhole: true,
    sort: { field: 'id', order: 'ASC' },
    perPage: 25,
    onSort: () => {},
  })
  const [isOpen, setOpen] = useState(false)
  const dialog = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.focus()
  }, [isOpen])
  return (
    <>
      <input
        aria-label="Search"
        onChange={({ target }) => setFilters({ q: target.value })}
        onKeyDown={() => setOpen(true)}
      />
      <input aria-label="Name" ref={dialog} />
    </>
  )
}

afterEach(() => {
  cleanup()
  window.history.replaceState(null, '', '/')
})

it('the address has a search before the focus is elsewhere for long, without drawing in the middle of a drawing', async () => {
  const errors = vi.spyOn(console, 'error')
  render(
    <ConsoleRouter navigation={createNavigation()}>
      <SearchAndDialog />
    </ConsoleRouter>,
  )
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'web' } })
  fireEvent.keyDown(screen.getByLabelText('Search'), { key: 'n', altKey: true })
  expect(screen.getByLabelText('Name')).toBe(document.activeElement)
  await act(async () => {})
  expect(window.location.search).toContain('web')
  expect(errors.mock.calls.map(([text]) => String(text))).toEqual([])
})
