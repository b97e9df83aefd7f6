import { makeTheme } from '@olmos/contract/look'
import type { LoaderFunctionArgs } from 'react-router'
import { pageServer } from './server-data.ts'

/** What the service worker keeps for the time without a network. All in one: nothing else can be fetched then. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { t, language, shop, colorScheme, nonce } = await pageServer(args)
  const { ground, text, dimmed, accent, onAccent } = makeTheme(colorScheme, shop)
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t('site.title', { title: t('offline.title') })}</title>
<style nonce="${nonce}">
body { display: grid; place-items: center; min-height: 100vh; margin: 0; color: ${text}; background: ${ground};
  font: 16px/1.5 'Onest Variable', system-ui, sans-serif; }
main { max-width: 26rem; padding: 24px; text-align: center; }
main::before { content: ""; display: block; width: 64px; height: 56px; margin: 0 auto 24px;
  background: ${dimmed}; clip-path: polygon(22% 0, 78% 0, 100% 34%, 50% 100%, 0 34%); }
h1 { margin: 0 0 8px; font-size: 1.5rem; }
p { margin: 0 0 24px; color: ${dimmed}; }
a { display: inline-block; padding: 14px 28px; color: ${onAccent}; font-weight: 600; text-decoration: none;
  background: ${accent}; clip-path: polygon(14px 0, 100% 0, 100% calc(100% - 14px), calc(100% - 14px) 100%, 0 100%, 0 14px); }
</style>
</head>
<body><main><h1>${t('offline.title')}</h1><p>${t('offline.text')}</p><a href="">${t('loading.retry')}</a></main></body>
</html>
`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}
