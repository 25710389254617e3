// fixtures.json of the Acquia HTTP HMAC specification, version 2.0: requests, strings to sign and headers.

export interface AcquiaFixture {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly contentSha: string;
  readonly timestamp: number;
  readonly realm: string;
  readonly id: string;
  readonly secret: string;
  readonly nonce: string;
  readonly authorization: string;
  readonly signable: string;
}

const CUSTOM = { "X-Custom-Signer1": "custom-1", "X-Custom-Signer2": "custom-2" };

const PIPET = {
  realm: "Pipet service",
  id: "efdde334-fe7b-11e4-a322-1697f925ec7b",
  secret: "W5PeGMxSItNerkNFqQMfYiJvH14WzVJMy54CPoTAYoI=",
  nonce: "d1954337-5319-4821-8427-115542e08d10",
  timestamp: 1432075982,
  headers: {},
};

const CI_STORE = {
  realm: "CIStore",
  id: "e7fe97fa-a0c8-4a42-ab8e-2c26d52df059",
  secret: "bXlzZWNyZXRzZWNyZXR0aGluZ3Rva2VlcA==",
  nonce: "a9938d07-d9f0-480c-b007-f1e956bcd027",
  headers: CUSTOM,
};

export const ACQUIA_FIXTURES: readonly AcquiaFixture[] = [
  {
    ...PIPET,
    name: "GET 1",
    method: "GET",
    url: "https://example.acquiapipet.net/v1.0/task-status/133?limit=10",
    body: "",
    contentSha: "",
    authorization:
      'acquia-http-hmac id="efdde334-fe7b-11e4-a322-1697f925ec7b",nonce="d1954337-5319-4821-8427-115542e08d10",realm="Pipet%20service",signature="MRlPr/Z1WQY2sMthcaEqETRMw4gPYXlPcTpaLWS2gcc=",version="2.0"',
    signable:
      "GET\nexample.acquiapipet.net\n/v1.0/task-status/133\nlimit=10\nid=efdde334-fe7b-11e4-a322-1697f925ec7b&nonce=d1954337-5319-4821-8427-115542e08d10&realm=Pipet%20service&version=2.0\n1432075982",
  },
  {
    ...PIPET,
    name: "GET 2",
    method: "GET",
    url: "https://example.acquiapipet.net/v1.0/task-status/145?limit=1",
    body: "",
    contentSha: "",
    id: "615d6517-1cea-4aa3-b48e-96d83c16c4dd",
    secret: "TXkgU2VjcmV0IEtleSBUaGF0IGlzIFZlcnkgU2VjdXJl",
    nonce: "24c0c836-4f6c-4ed6-a6b0-e091d75ea19d",
    authorization:
      'acquia-http-hmac id="615d6517-1cea-4aa3-b48e-96d83c16c4dd",nonce="24c0c836-4f6c-4ed6-a6b0-e091d75ea19d",realm="Pipet%20service",signature="1Ku5UroiW1knVP6GH4l7Z4IuQSRxZO2gp/e5yhapv1s=",version="2.0"',
    signable:
      "GET\nexample.acquiapipet.net\n/v1.0/task-status/145\nlimit=1\nid=615d6517-1cea-4aa3-b48e-96d83c16c4dd&nonce=24c0c836-4f6c-4ed6-a6b0-e091d75ea19d&realm=Pipet%20service&version=2.0\n1432075982",
  },
  {
    ...CI_STORE,
    name: "GET 3, with signed headers",
    method: "GET",
    url: "https://example.pipeline.io/api/v1/ci/pipelines",
    body: "",
    contentSha: "",
    timestamp: 1432075982,
    authorization:
      'acquia-http-hmac headers="X-Custom-Signer1%3BX-Custom-Signer2",id="e7fe97fa-a0c8-4a42-ab8e-2c26d52df059",nonce="a9938d07-d9f0-480c-b007-f1e956bcd027",realm="CIStore",signature="yoHiYvx79ssSDIu3+OldpbFs8RsjrMXgRoM89d5t+zA=",version="2.0"',
    signable:
      "GET\nexample.pipeline.io\n/api/v1/ci/pipelines\n\nid=e7fe97fa-a0c8-4a42-ab8e-2c26d52df059&nonce=a9938d07-d9f0-480c-b007-f1e956bcd027&realm=CIStore&version=2.0\nx-custom-signer1:custom-1\nx-custom-signer2:custom-2\n1432075982",
  },
  {
    ...PIPET,
    name: "POST 1",
    method: "POST",
    url: "https://example.acquiapipet.net/v1.0/task",
    body: '{"method":"hi.bob","params":["5","4","8"]}',
    contentSha: "6paRNxUA7WawFxJpRp4cEixDjHq3jfIKX072k9slalo=",
    authorization:
      'acquia-http-hmac id="efdde334-fe7b-11e4-a322-1697f925ec7b",nonce="d1954337-5319-4821-8427-115542e08d10",realm="Pipet%20service",signature="XDBaXgWFCY3aAgQvXyGXMbw9Vds2WPKJe2yP+1eXQgM=",version="2.0"',
    signable:
      "POST\nexample.acquiapipet.net\n/v1.0/task\n\nid=efdde334-fe7b-11e4-a322-1697f925ec7b&nonce=d1954337-5319-4821-8427-115542e08d10&realm=Pipet%20service&version=2.0\n1432075982\napplication/json\n6paRNxUA7WawFxJpRp4cEixDjHq3jfIKX072k9slalo=",
  },
  {
    ...CI_STORE,
    name: "POST 2, with signed headers",
    method: "POST",
    url: "https://example.pipeline.io/api/v1/ci/pipelines/39b5d58d-0a8f-437d-8dd6-4da50dcc87b7/start",
    body: '{"cloud_endpoint":"https://cloudapi.acquia.com/v1","cloud_user":"example@acquia.com","cloud_pass":"password","branch":"validate"}',
    contentSha: "2YGTI4rcSnOEfd7hRwJzQ2OuJYqAf7jzyIdcBXCGreQ=",
    timestamp: 1449578521,
    authorization:
      'acquia-http-hmac headers="X-Custom-Signer1%3BX-Custom-Signer2",id="e7fe97fa-a0c8-4a42-ab8e-2c26d52df059",nonce="a9938d07-d9f0-480c-b007-f1e956bcd027",realm="CIStore",signature="0duvqeMauat7pTULg3EgcSmBjrorrcRkGKxRDtZEa1c=",version="2.0"',
    signable:
      "POST\nexample.pipeline.io\n/api/v1/ci/pipelines/39b5d58d-0a8f-437d-8dd6-4da50dcc87b7/start\n\nid=e7fe97fa-a0c8-4a42-ab8e-2c26d52df059&nonce=a9938d07-d9f0-480c-b007-f1e956bcd027&realm=CIStore&version=2.0\nx-custom-signer1:custom-1\nx-custom-signer2:custom-2\n1449578521\napplication/json\n2YGTI4rcSnOEfd7hRwJzQ2OuJYqAf7jzyIdcBXCGreQ=",
  },
];
