import { useQueryClient } from '@tanstack/react-query'
import { use } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { PageTitle } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext } from '../../engine/define/namedPage.ts'
import { usePageTitle } from '../../engine/define/pageTitle.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { ApplyPanel } from './ApplyPanel.tsx'
import { ExportPanel } from './ExportPanel.tsx'

/** The configuration as a file: written, compared with the server, and applied. */
export default function ConfigurationPage() {
  const translate = useTranslate()
  const title = translate('app.shell.configuration')
  usePageTitle(title)
  const section = use(SectionContext)
  const server = { dataProvider: useDataProvider<ConsoleDataProvider>(), queryClient: useQueryClient() }
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="settings/configuration" />
      <div style={{ maxWidth: 960 }}>
        <ExportPanel server={server} />
        <ApplyPanel server={server} />
      </div>
    </>
  )
}
