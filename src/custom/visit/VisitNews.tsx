import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'
import { dismissNews, type News } from '../../visit/news.ts'

const NewsDialog = lazyPart(() => import('./NewsDialog.tsx'))

/** One quiet line: of how many records others have changed something since the last visit. It opens the list. */
export default function VisitNews({ news }: { news: News }) {
  const translate = useTranslate()
  const locale = useLocale()
  const [isOpen, setOpen] = useState(false)
  const counted = [...countsOf(news)].map(([entity, count]) =>
    translate(`resources.${entity}.counted`, { smart_count: count }),
  )
  const what = new Intl.ListFormat(locale).format(counted)
  return (
    <>
      {translate(news.kind === 'recorded' ? 'app.news.by_others' : 'app.news.different', { what })}
      <Button size="small" onClick={() => setOpen(true)}>
        {translate('app.news.show')}
      </Button>
      <Button size="small" onClick={dismissNews}>
        {translate('app.news.dismiss')}
      </Button>
      {isOpen ? (
        <Suspense>
          <NewsDialog news={news} onClose={dismissNews} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The number of records by entity. */
function countsOf(news: News): Map<string, number> {
  if (news.kind === 'compared') {
    return new Map(
      news.differences.map(({ entity, added, changed, removed }) => [
        entity,
        added.length + changed.length + removed.length,
      ]),
    )
  }
  const byEntity = Map.groupBy(news.changes, ({ entity }) => entity)
  return new Map(
    [...byEntity].map(([entity, changes]) => [entity, new Set(changes.map(({ record_id }) => record_id)).size]),
  )
}
