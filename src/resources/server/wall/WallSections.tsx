import { Fragment } from 'react'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { troubleWord } from '../trouble/troubleText.ts'
import type { WallLayout } from './layOutWall.ts'
import { SmallTile, Tiles } from './WallTile.tsx'
import type { wallTiles } from './wallTiles.ts'

interface WallSectionsProps {
  layout: WallLayout
  /** What is wrong and does not fit as large tiles. */
  more: readonly Trouble[]
  sections: ReturnType<typeof wallTiles>['sections']
}

/** What is wrong beyond the large tiles, and the servers that are well: those of a group behind a tile with its name. */
export function WallSections({ layout, more, sections }: WallSectionsProps) {
  const language = useLanguage()
  const { locale, translate } = language
  const count = (number: number) => formatNumber(number, locale)
  const online = translate('resources.server.values.online')
  const { columns, height } = layout.small
  return (
    <Tiles style={{ '--columns': columns, '--tile': `${height}px` } as object}>
      {more.slice(0, layout.more.shown).map((trouble) => (
        <SmallTile
          key={trouble.key}
          name={trouble.name}
          word={troubleWord(trouble, language)}
          severity={trouble.severity}
        />
      ))}
      {layout.more.rest > 0 ? (
        <SmallTile
          name={`+ ${count(layout.more.rest)}`}
          word={translate('app.view.wrong', { smart_count: layout.more.rest, count: '' }).trim()}
          severity="critical"
        />
      ) : null}
      {sections.slice(0, layout.sections.length).map(({ group, rows }, index) => (
        <Fragment key={group?.id ?? ''}>
          {sections.length > 1 ? (
            <SmallTile
              name={group?.name ?? translate('app.view.no_group')}
              word={translate('app.summary.online', { smart_count: rows.length, count: count(rows.length) })}
              severity="none"
            />
          ) : null}
          {rows.slice(0, layout.sections[index]?.shown).map(({ id, name, trouble }) => (
            <SmallTile
              key={id}
              name={name}
              word={trouble ? troubleWord(trouble, language) : online}
              severity={trouble ? 'silenced' : 'well'}
            />
          ))}
          {layout.sections[index]?.rest ? (
            <SmallTile name={`+ ${count(layout.sections[index].rest)}`} word={online} severity="well" />
          ) : null}
        </Fragment>
      ))}
    </Tiles>
  )
}
