/** Decides which names of variables, fields and options hold a secret. */

/** Expected value of a name. `password`: any text. `token`: a random-looking text. `service`: a long token, since the name is only a service's. */
export type ExpectedValue = "password" | "token" | "service";

const SEGMENTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

const PASSWORDS = new Set(
  "password passwd passphrase passcode passwort kennwort pass pwd pw secret credential credentials creds mnemonic psk requirepass masterauth".split(
    " ",
  ),
);
const TOKENS = new Set(
  "token apikey authkey accesskey secretkey privatekey accountkey appkey sharedkey authtoken accesstoken apitoken auth authorization jwt bearer pat sas sig signature dsn webhook salt pepper otp totp cookie pin seed nonce cert cred".split(
    " ",
  ),
);
/** Words before `key` in names of secrets; other keys are keys of tables. */
const KEYS = new Set(
  "api access secret private auth account shared service signing sign sig encryption encrypt decryption crypt master license licence admin client deploy integration server write read app application subscription storage consumer ssh rsa hmac aes jwt session cookie webhook root user personal function host management query ingest data bot stream license csrf base app wg preshared developer dev prod production live sandbox security publishable recaptcha captcha transfer vapid turn sdk rest rotation transaction unseal recovery routing".split(
    " ",
  ),
);
/** Services whose keys have no format of their own. A name with one of them implies a token if it mentions a key. */
export const SERVICES =
  /adafruit|adyen|airtable|akamai|alchemy|algolia|alibaba|aliyun|amplitude|anthropic|asana|atlassian|auth0|aws|azure|bitbucket|bitly|box|braintree|bugsnag|circleci|clerk|clickhouse|cloudflare|cloudinary|codecov|cohere|coinbase|confluent|consul|contentful|datadog|deepgram|deepl|deepseek|digitalocean|discord|docker|doppler|droneci|dropbox|elastic|etherscan|etsy|facebook|fastly|finnhub|firebase|flickr|freshbooks|gitea|github|gitlab|gitter|google|grafana|groq|heroku|hetzner|honeycomb|hubspot|ibm|infura|instagram|intercom|jenkins|jfrog|jira|kraken|kucoin|launchdarkly|linear|linkedin|linode|logdna|loggly|looker|mailchimp|mailgun|mailjet|mapbox|mattermost|meraki|messagebird|mistral|mixpanel|mongo|moonshot|netlify|newrelic|new_relic|notion|nytimes|octopus|okta|openai|openweather|opsgenie|oracle|ovh|pagerduty|papertrail|paypal|pinecone|plaid|postmark|pubnub|pusher|qdrant|qiniu|quay|rapidapi|razorpay|reddit|rollbar|salesforce|segment|sendbird|sentry|shodan|shopify|slack|snowflake|snyk|sonar|spotify|square|stripe|sumo|supabase|telegram|tencent|travis|trello|twilio|twitch|twitter|typeform|unsplash|upstash|vault|vercel|vonage|vultr|wandb|weaviate|xray|yandex|youtube|zendesk|zoom/i;

/** Final words of names that describe a secret rather than contain it. */
const ABOUT = new Set(
  `count counts limit limits type types name names length len size url uri endpoint path file files dir folder field fields label labels placeholder regex pattern expires expiry expiration
  expire ttl age usage budget ids index version format prefix suffix policy rule rules manager provider providers service store storage reset hint strength input form page error errors valid required
  enabled disabled changed at date time timeout position start end kind list map set ref arn alias column table schema handler function class method param params header headers option options attempts min max
  algorithm algo alg callback env var source status state scope scopes host port user username email region bucket project mode level text title description message icon color style selector
  visible visibility show toggle button tab link spec test tests ratio rate cost price per second seconds ms days bytes chars words model ring chain pair press code event events down up bits
  binding bindings location frame frames manager verifier generator factory builder parser reader writer encoder decoder tokenizer validator exists`.split(
    /\s+/,
  ),
);

/** Final words that name only the place, time or format of a secret. */
const ENVIRONMENTS = new Set(
  "key value base prod production dev development staging stage test local live sandbox old new current text string data primary secondary main root admin default raw plain b pem".split(
    " ",
  ),
);

/** The expected value of a name. `before` is the text in front of it. */
export function expectedValueOf(name: string, before: string): ExpectedValue | undefined {
  const segments = (name.match(SEGMENTS) ?? [])
    .map((segment) => segment.toLowerCase())
    .filter((one) => !/^\d+$/.test(one));
  const last = segments.at(-1) ?? "";
  const whole = segments.join("");
  if (/(?:secret|privatekey)id$/.test(whole)) return "token";
  if (ABOUT.has(last) || last === "id" || last === "hash" || /public|pub$/.test(segments.at(-2) ?? ""))
    return undefined;
  const isVariable = /^[A-Z\d_]+$/.test(name);
  const telling = segments.findLastIndex((one) => !ENVIRONMENTS.has(one));
  const near = isVariable ? segments : segments.slice(Math.max(0, telling));
  if (isVariable && last === "session") return "token";
  if (near.some((one) => PASSWORDS.has(one)) || /(?:password|passwd|passphrase|secret|pwd)$/.test(last))
    return "password";
  if (
    near.some((one) => TOKENS.has(one)) ||
    /(?:token|apikey|secretkey|accesskey|privatekey|sharedkey|accountkey|authkey)$/.test(last)
  ) {
    return "token";
  }
  if (/keys?$/.test(last)) {
    const qualifier = segments.at(-2) ?? before.match(/([A-Za-z]{1,20})[ _-]$/)?.[1]?.toLowerCase() ?? "";
    if (KEYS.has(qualifier) || KEYS.has(last.replace(/keys?$/, "")) || isVariable || SERVICES.test(before + name)) {
      return "token";
    }
    return undefined;
  }
  return SERVICES.test(last) ? "service" : undefined;
}
