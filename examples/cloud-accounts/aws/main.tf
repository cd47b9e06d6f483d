# Lets dpa read an AWS account. It creates one role with the permissions that scans use, which dpa gets either with a
# token that it signs (web_identity, the default: no key exists anywhere) or through the principal of the deployment.
# Apply it with credentials that can manage IAM in the account.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "setup_file" {
  type        = string
  description = "File with the output of `dpa accounts setup aws --format json`."
  default     = "setup.json"
}

variable "trust" {
  type        = string
  description = "web_identity: tokens that dpa signs. principal: the AWS principal of the deployment, with an external ID."
  default     = "web_identity"

  validation {
    condition     = contains(["web_identity", "principal"], var.trust)
    error_message = "Use web_identity or principal."
  }
}

variable "role_name" {
  type        = string
  description = "Name of the role."
  default     = "dpa"
}

variable "oidc_provider_arn" {
  type        = string
  description = "An identity provider for dpa that the account already has; one is created if this is null."
  default     = null
}

locals {
  setup          = jsondecode(file(var.setup_file)).aws
  uses_tokens    = var.trust == "web_identity"
  issuer_host    = local.uses_tokens ? trimprefix(local.setup.oidc_issuer, "https://") : ""
  provider_arn   = local.uses_tokens ? coalesce(var.oidc_provider_arn, try(aws_iam_openid_connect_provider.dpa[0].arn, null)) : ""
  trust_document = local.uses_tokens ? data.aws_iam_policy_document.web_identity[0].json : data.aws_iam_policy_document.principal[0].json
}

resource "aws_iam_openid_connect_provider" "dpa" {
  count = local.uses_tokens && var.oidc_provider_arn == null ? 1 : 0

  url            = local.setup.oidc_issuer
  client_id_list = ["sts.amazonaws.com"]
}

data "aws_iam_policy_document" "web_identity" {
  count = local.uses_tokens ? 1 : 0

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [local.provider_arn]
    }
    # Only tokens for your organization are accepted.
    condition {
      test     = "StringEquals"
      variable = "${local.issuer_host}:sub"
      values   = [local.setup.oidc_subject]
    }
    condition {
      test     = "StringEquals"
      variable = "${local.issuer_host}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "principal" {
  count = local.uses_tokens ? 0 : 1

  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "AWS"
      identifiers = [local.setup.principal_arn]
    }
    # Without it, another organization could name your role as its own.
    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = [local.setup.external_id]
    }
  }
}

resource "aws_iam_role" "dpa" {
  name               = var.role_name
  description        = "Lets dpa read the resources of this account."
  assume_role_policy = local.trust_document
}

# An inline policy, because a managed policy would be too small for it.
resource "aws_iam_role_policy" "read" {
  name   = "dpa-read"
  role   = aws_iam_role.dpa.id
  policy = jsonencode(local.setup.policy_document)
}

output "role_arn" {
  description = "Enter this as the role_arn of the cloud account."
  value       = aws_iam_role.dpa.arn
}
