import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = { server: [{ name: 'web-1', uuid: 'u-1' }] }

async function headings() {
  await screen.findByRole('checkbox', { name: 'Select web-1' })
  return within(screen.getByRole('table'))
    .getAllByRole('columnheader')
    .slice(1)
    .map(({ textContent }) => textContent)
}

describe('The columns of the list of servers', () => {
  it('are at first those that matter', async () => {
    await renderConsole({ records })
    expect(await headings()).toEqual([
      'ID',
      'Name',
      'Status',
      'CPU',
      'Memory',
      'Disk',
      'Traffic',
      'Group',
      'IP',
      'Last seen',
      'Actions',
    ])
  })

  it('stay as somebody has chosen them in an earlier release, where all were shown at first', async () => {
    localStorage.setItem('wheelhouse.choices.table.server.hidden', '["cpu","note"]')
    await renderConsole({ records })
    const shown = await headings()
    expect(shown).toEqual(expect.arrayContaining(['UUID', 'DDNS enabled', 'Hide for guest']))
    expect(shown).not.toEqual(expect.arrayContaining(['CPU']))
    expect(shown.filter((heading) => ['CPU', 'Note', 'Country'].includes(heading ?? ''))).toEqual([])
  })

  it('are made wider and narrower by keyboard and pointer, and keep their width', async () => {
    const { user } = await renderConsole({ records })
    await screen.findByRole('checkbox', { name: 'Select web-1' })
    const edge = screen.getByRole('separator', { name: 'Width of Name' })
    expect(edge.getAttribute('aria-valuetext')).toBe('Automatic')
    const savedWidth = () => JSON.parse(localStorage.getItem('wheelhouse.choices.table.server.widths') ?? '{}').name
    edge.focus()
    await user.keyboard('{Home}{ArrowRight}{ArrowRight}')
    expect([edge.getAttribute('aria-valuetext'), savedWidth()]).toEqual(['80 px', 80])
    const heading = screen.getByRole('columnheader', { name: /^Name/ })
    expect(getComputedStyle(heading).maxWidth).toBe('80px')
    await user.keyboard('{Home}{ArrowLeft}')
    expect(savedWidth()).toBe(48)
    await user.keyboard('{Enter}')
    expect([edge.getAttribute('aria-valuetext'), savedWidth()]).toEqual(['Automatic', undefined])
    // Nothing was opened or sorted by these keys.
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(window.location.search).toBe('')
  })

  it('are shown and hidden one by one, and remembered', async () => {
    localStorage.setItem('wheelhouse.choices.table.server.hidden', '["cpu"]')
    const { user } = await renderConsole({ records })
    await headings()
    await user.click(screen.getByRole('button', { name: 'View options' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'CPU' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Memory' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Country' }))
    await user.keyboard('{Escape}')
    const shown = await headings()
    expect(shown.filter((heading) => ['CPU', 'Memory', 'Country', 'UUID'].includes(heading ?? ''))).toEqual([
      'CPU',
      'Country',
      'UUID',
    ])
    expect(JSON.parse(localStorage.getItem('wheelhouse.choices.table.server.columns') ?? '')).toEqual({
      cpu: true,
      memory: false,
      country: true,
    })
  })
})
