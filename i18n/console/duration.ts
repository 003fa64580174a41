import type { Texts } from '../define/text.ts'

/** Lengths of time. */
export const duration = {
  duration: {
    days: { en: '%{count} d', it: '%{count} g', zhCN: '%{count} 天', zhTW: '%{count} 天', de: '%{count} d' },
    hours: { en: '%{count} h', it: '%{count} h', zhCN: '%{count} 小时', zhTW: '%{count} 小時', de: '%{count} h' },
    minutes: {
      en: '%{count} min',
      it: '%{count} min',
      zhCN: '%{count} 分钟',
      zhTW: '%{count} 分鐘',
      de: '%{count} min',
    },
    seconds: { en: '%{count} s', it: '%{count} s', zhCN: '%{count} 秒', zhTW: '%{count} 秒', de: '%{count} s' },
    ago: {
      en: '%{duration} ago',
      it: '%{duration} fa',
      zhCN: '%{duration}前',
      zhTW: '%{duration}前',
      de: 'vor %{duration}',
    },
    just_now: { en: 'just now', it: 'proprio ora', zhCN: '刚刚', zhTW: '剛剛', de: 'gerade eben' },
    never: { en: 'Never', it: 'Mai', zhCN: '从未', zhTW: '從未', de: 'Nie' },
  },
} satisfies Texts
