import { ThemeProvider } from '@mui/material/styles'
import { cleanup, render, screen } from '@testing-library/react'
import { CoreAdminContext, testDataProvider } from 'react-admin'
import { afterEach, expect, it } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { theme } from '../../../src/components/theme/theme.ts'
import { UndoPreview } from '../../../src/custom/recentChanges/UndoPreview.tsx'
import { AnnouncedFeaturesContext } from '../../../src/engine/define/page.tsx'
import type { ChangeAction } from '../../../src/undo/changeDatabase.ts'
import type { UndoStep } from '../../../src/undo/planUndo.ts'

afterEach(cleanup)

it.each([
  ['https://other.example/', 1],
  ['https://dns.example/other', 0],
])('taking back an edit of a webhook at %s says whether its secrets stay', async (now, count) => {
  const i18nProvider = await createI18nProvider('en-US')
  const current = { id: 1, name: 'Home', provider: 'webhook', webhook_url: now }
  const before = 'https://dns.example/hook'
  const step = {
    change: { key: 1, recordId: 1, name: 'Home', before: { webhook_url: before }, secrets: [] },
    keys: [1],
    state: 'ready',
    current,
    data: {},
    needed: [],
    lost: [],
    links: [],
    dead: [],
    fields: [{ field: 'webhook_url', now, before, isConflict: false }],
  } as unknown as UndoStep
  render(
    <CoreAdminContext i18nProvider={i18nProvider} dataProvider={testDataProvider()}>
      <ThemeProvider theme={theme}>
        <AnnouncedFeaturesContext value={new Set(['bound_secrets'])}>
          <UndoPreview
            action={{ entity: 'ddns', verb: 'update' } as ChangeAction}
            steps={[step]}
            choices={{ overwrite: new Map(), secrets: new Map() }}
            onChoose={() => {}}
          />
        </AnnouncedFeaturesContext>
      </ThemeProvider>
    </CoreAdminContext>,
  )
  expect(await screen.findByText(before)).toBeTruthy()
  expect(screen.queryAllByText(/What is stored stays with its receiver/)).toHaveLength(count)
})
