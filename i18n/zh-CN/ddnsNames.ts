import type { ddnsNames as english } from '../en-US/ddnsNames.ts'
import type { SameShape } from '../types.ts'

export const ddnsNames = {
  ddns: {
    title: '%{what} 的域名',
    unused: '没有服务器使用',
    nothing_yet: '尚未发送',
    failed_of: '%{total} 个中有 %{failed} 个失败',
    how_to_use: '没有服务器使用此配置。请编辑服务器，启用 DDNS 并选择此配置。',
    first_of: '显示前 %{shown} 个，共 %{total} 个，失败的在前。',
    tries: '已尝试 %{smart_count} 次',
    states: {
      done: '已更新',
      failed: '失败',
      waiting: '正在更新',
      no_address: '服务器没有该类型的、提供商可用的地址',
      offline: '等待服务器上报',
    },
  },
} satisfies SameShape<typeof english>
