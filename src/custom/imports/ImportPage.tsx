import { use } from 'react'
import { useTranslate } from 'react-admin'
import { PageTitle } from '../../components/Panel.tsx'
import { SectionContext } from '../../engine/define/namedPage.ts'
import { usePageTitle } from '../../engine/define/pageTitle.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { ImportPanel } from './ImportPanel.tsx'
import { MadeImports } from './MadeImports.tsx'

/** Takes over what another product has, and takes that back. */
export default function ImportPage() {
  const translate = useTranslate()
  const title = translate('app.shell.import')
  usePageTitle(title)
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={use(SectionContext)} current="settings/import" />
      <div style={{ maxWidth: 960 }}>
        <ImportPanel />
        <MadeImports />
      </div>
    </>
  )
}
