import { bark } from './bark.ts'
import { dingTalk } from './dingTalk.ts'
import { discord } from './discord.ts'
import { feishu } from './feishu.ts'
import { gotify } from './gotify.ts'
import { mail } from './mail.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { pagerDuty } from './pagerDuty.ts'
import type { Preset } from './preset.ts'
import { pushover } from './pushover.ts'
import { serverChan } from './serverChan.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'
import { weCom } from './weCom.ts'

/** All presets, in the order in which they are offered. */
export const presets: readonly Preset[] = [
  ...[mail, telegram, slack, discord, teams, mattermost, matrix],
  ...[ntfy, gotify, pushover, bark, pagerDuty],
  ...[dingTalk, feishu, weCom, serverChan, webhook],
]
