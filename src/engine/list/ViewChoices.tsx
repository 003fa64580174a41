import Divider from '@mui/material/Divider'
import { useLocation, useNavigate, useTranslate } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { MenuTick } from './MenuTick.tsx'
import { type ListView, useChosenSections, useChosenView, useListView } from './state/listView.tsx'

/** Table, cards or wall, and whether the rows stand below their groups, as entries of the list's menu. */
export function ViewChoices({ onClose }: { onClose: () => void }) {
  const { definition, entity } = useScreen()
  const { view, isNarrow, hasSections } = useListView()
  const [, setChosen] = useChosenView(entity.name)
  const [, setSections] = useChosenSections(entity.name)
  const { search } = useLocation()
  const navigate = useNavigate()
  const translate = useTranslate()
  const choose = (chosen: ListView) => {
    if (chosen === 'wall') {
      // A browser that refuses shows it in its window.
      void document.documentElement.requestFullscreen?.().catch(() => {})
    } else setChosen(chosen)
    const parameters = new URLSearchParams(search)
    parameters.set('view', chosen)
    // Before it is closed, which gives the focus back to the button.
    onClose()
    navigate({ search: `?${parameters}` })
  }
  const offered: ListView[] = [
    ...(isNarrow ? [] : (['table', 'cards'] as const)),
    ...(definition.Wall ? (['wall'] as const) : []),
  ]
  return (
    <>
      {offered.map((one) => (
        <MenuTick
          key={one}
          isRadio
          checked={view === one}
          label={translate(`app.view.${one}`)}
          onToggle={() => choose(one)}
        />
      ))}
      {definition.sections && view === 'table' ? (
        <MenuTick
          checked={hasSections}
          label={translate('app.view.sections')}
          onToggle={() => setSections(!hasSections)}
        />
      ) : null}
      {offered.length > 0 ? <Divider /> : null}
    </>
  )
}
