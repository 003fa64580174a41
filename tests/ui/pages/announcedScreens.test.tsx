import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { withDrills } from '../../support/drill/index.ts'

/** Drills, which only servers have that announce them. */
const extension = {
  ...withDrills,
  resources: withDrills.resources.map((entry) =>
    entry.entity.name === 'drill'
      ? { ...entry, entity: { ...entry.entity, api: { ...entry.entity.api, announced: 'drills' } } }
      : entry,
  ),
}

it('The navigation leads to a screen where the server announces it', async () => {
  await renderConsole({ extension, prepare: alterSetting({}, { wheelhouse: { drills: true } }) })
  expect(await screen.findByRole('link', { name: 'Drills' })).toBeDefined()
})

it('The navigation leads to no screen that the server does not have', async () => {
  await renderConsole({ extension, prepare: alterSetting({}, { wheelhouse: {} }) })
  await screen.findByText('Total: 0')
  expect(screen.getByRole('link', { name: 'Group' })).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Drills' })).toBeNull()
})
